/** A moment as the commands print it, in UTC. */
export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
