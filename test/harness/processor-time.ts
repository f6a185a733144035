import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of processor time that this thread has used up to now, or all threads of another process. Waiting for a busy machine is none. */
export function processorTime(pid?: number): number {
  if (pid !== undefined) {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.reduce((sum, task) => sum + millisecondsIn(`/proc/${pid}/task/${task}/schedstat`), 0)
  }
  try {
    return millisecondsIn('/proc/thread-self/schedstat')
  } catch {
    // Only Linux tells threads apart.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

const millisecondsIn = (file: string): number => Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1e6

interface Attempts {
  /** An attempt that takes less is the last. */
  readonly enough?: number
  /** The process that works, where it is another one. */
  readonly pid?: number
}

/** The least processor time of three attempts: the first ones are compiled on the way. */
export async function leastProcessorTime(work: () => unknown, { enough = 0, pid }: Attempts = {}): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && least >= enough; attempt += 1) {
    const before = processorTime(pid)
    await work()
    least = Math.min(least, processorTime(pid) - before)
  }
  return least
}

const turn = 50

/**
 * How many pauses of 50 ms this thread takes until something has ended. A machine that keeps the thread waiting makes the pauses
 * longer, not more: they are counted where a promise in seconds is kept by a server in the same thread.
 */
export async function turnsUntil(end: PromiseLike<unknown>): Promise<number> {
  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, turn)
  try {
    await end
  } finally {
    clearInterval(counting)
  }
  return turns
}

/** How many pauses make up so many seconds on a machine that has nothing else to do. */
export const turnsOf = (seconds: number): number => (seconds * 1000) / turn
