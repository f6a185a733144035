import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../refusal.ts'
import { isBusy } from './errors.ts'

/** How long work waits for another process that holds the lock, in milliseconds. */
export const usualPatience = 5000

const longestPause = 50

/** Whoever waits for the lock looks at least once while this lasts. */
export const longEnoughForOthers = (): Promise<void> => sleep(longestPause * 1.5)

/** SQLite's own busy timeout would stop the event loop, so the waiting is done here. */
export async function retryWhileBusy<T>(patience: number, attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patience
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() + pause > deadline) {
        throw new Refusal('busy', 'Another program is using the database. Try again.', { retryAfterSeconds: 1 })
      }
    }
    await sleep(pause)
  }
}
