import { setImmediate as nextTurn } from 'node:timers/promises'

/** Others wait this long at most. */
const turnMs = 10

/** Lets others be answered in the middle of long work. */
export class Pauses {
  #until = performance.now() + turnMs

  get isDue(): boolean {
    return performance.now() >= this.#until
  }

  /** Work begins, or goes on. */
  begin(): void {
    this.#until = performance.now() + turnMs
  }

  async take(): Promise<void> {
    await nextTurn()
    this.begin()
  }

  async ifDue(): Promise<void> {
    if (this.isDue) await this.take()
  }
}
