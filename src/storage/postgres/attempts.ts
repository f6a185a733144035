import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../refusal.ts'
import type { ReachabilityState } from '../database.ts'
import {
  codeOf,
  isConflict,
  isConnectionLoss,
  isLongWait,
  isOnStandby,
  isServerTrouble,
  isSlowConnection,
  isStalePlan,
  isWaitForConnection,
  messageOf,
  UnconfirmedCommit,
} from '../sql/errors.ts'

const mostAttempts = 6

/** Tries work again after a conflict, and words what prevents it for the caller. */
export async function retryConflicts<T>(attempt: () => Promise<T>, reachability: Reachability): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const begun = performance.now()
    try {
      const result = await attempt()
      reachability.noteSuccess()
      return result
    } catch (error) {
      if (error instanceof UnconfirmedCommit) {
        throw new Refusal(
          'busy',
          'The farm is busy: its database has not confirmed the change yet. It may still be saved. Look before you try again.',
          { retryAfterSeconds: 5 },
        )
      }
      const isOverloaded = isLongWait(error) || (isSlowConnection(error) && reachability.wasReachedSince(begun))
      // While no connection can be made, those who wait for one wait in vain.
      const isInVain = isWaitForConnection(error) && reachability.isLost
      if (isInVain || isOnStandby(error) || (isConnectionLoss(error) && !isOverloaded)) {
        reachability.noteLoss(error)
        throw new Refusal('busy', 'The database cannot be reached. Try again.', { retryAfterSeconds: 1 })
      }
      if (isOverloaded) {
        throw new Refusal(
          'busy',
          'The farm is busy: too much waits for its database. Nothing was changed; try again.',
          {
            retryAfterSeconds: 1,
            cause: error,
          },
        )
      }
      if (isServerTrouble(error)) {
        throw new Refusal(
          'busy',
          `Nothing was saved, because the database cannot (${error.message}). Try again later.`,
          { retryAfterSeconds: 30, cause: error },
        )
      }
      if (!isConflict(error) && !isStalePlan(error)) throw error
      if (attempts === mostAttempts) {
        throw new Refusal('busy', 'The farm is busy: others are changing the same records. Try again.', {
          retryAfterSeconds: 1,
          cause: error,
        })
      }
      await sleep(Math.random() * 10 * 2 ** attempts)
    }
  }
}

/** If some connections succeed and others fail, the database counts as lost until none failed for this long. */
const steadyMilliseconds = 1_000

/** Knows whether the server was last reached or lost, and tells when that changes. */
export class Reachability {
  #lostAt: number | undefined
  #reachedAt = 0
  readonly #whenLost: () => void
  #tell: (reached: ReachabilityState) => void = () => {}

  /** `whenLost` is called at every loss: another server may have taken the place of the lost one. */
  constructor(whenLost: () => void) {
    this.#whenLost = whenLost
  }

  tellTo(tell: (reached: ReachabilityState) => void): void {
    this.#tell = tell
  }

  get isLost(): boolean {
    return this.#lostAt !== undefined
  }

  noteLoss(error: unknown): void {
    this.#whenLost()
    const wasLost = this.#lostAt !== undefined
    this.#lostAt = performance.now()
    if (!wasLost) this.#tell({ isBack: false, code: codeOf(error), message: messageOf(error) })
  }

  wasReachedSince(time: number): boolean {
    return this.#reachedAt >= time
  }

  noteSuccess(): void {
    this.#reachedAt = performance.now()
    if (this.#lostAt === undefined || performance.now() - this.#lostAt < steadyMilliseconds) return
    this.#lostAt = undefined
    this.#tell({ isBack: true, code: '', message: '' })
  }
}
