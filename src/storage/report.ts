/** Told how far a long work has come: what is being done, how much of it, out of how much. */
export type Report = (what: string, done: number, total: number) => void
