/** Progress of long work: the step, the amount done, and the total. */
export type Report = (what: string, done: number, total: number) => void
