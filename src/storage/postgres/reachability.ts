import type { ReachabilityState } from '../database.ts'
import { codeOf, messageOf } from '../sql/errors.ts'

/** Where some connections are made and others refused, it is lost until none was for so long. */
const steadyMilliseconds = 1_000

/** Knows whether the server was last reached or lost, and tells when that changes. */
export class Reachability {
  #lostAt: number | undefined
  #tell: (reached: ReachabilityState) => void = () => {}

  tellTo(tell: (reached: ReachabilityState) => void): void {
    this.#tell = tell
  }

  get isLost(): boolean {
    return this.#lostAt !== undefined
  }

  noteLoss(error: unknown): void {
    const wasLost = this.#lostAt !== undefined
    this.#lostAt = performance.now()
    if (!wasLost) this.#tell({ isBack: false, code: codeOf(error), message: messageOf(error) })
  }

  noteSuccess(): void {
    if (this.#lostAt === undefined || performance.now() - this.#lostAt < steadyMilliseconds) return
    this.#lostAt = undefined
    this.#tell({ isBack: true, code: '', message: '' })
  }
}
