/** The only source of time: Unix seconds. Tests and as-of reads pass their own. */
export type Clock = () => number

export const wallClock: Clock = () => Math.floor(Date.now() / 1000)
