import { limits } from './limits.ts'

/**
 * Lets requests be answered in the order of their arrival, a few in each turn of the event loop. Node accepts one new connection
 * in a turn: were all that has come answered at once, turns would be long, and whoever knocks while the server is busy would wait
 * for seconds. So a turn ends after a few milliseconds, and at once while others are still being let in.
 */
export class Turns {
  readonly #clock: () => number
  readonly #waiting: (() => void)[] = []
  #turn: { readonly until: number } | null = null
  #lastLook = 0
  #someoneCame = false

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** There may be more where this one came from. */
  noteConnection(): void {
    this.#someoneCame = true
  }

  /** Begins to answer when its turn has come. */
  take(answer: () => void): void {
    this.#waiting.push(answer)
    // One look for each: what one begins is done, as far as it can be, before the next look.
    setImmediate(this.#look)
  }

  readonly #look = (): void => {
    const now = this.#clock()
    if (this.#turn === null) this.#beginTurn(now)
    else if (now >= this.#turn.until) {
      setImmediate(this.#look)
      return
    }
    this.#lastLook = now
    this.#waiting.shift()?.()
  }

  /** At least as long as the reading of requests took, so that a flood of those that are sent away leaves half of the time. */
  #beginTurn(now: number): void {
    const length = this.#someoneCame ? 0 : Math.max(limits.turnMs, now - this.#lastLook)
    this.#someoneCame = false
    this.#turn = { until: now + Math.min(length, limits.longestTurnMs) }
    // The first of the next turn.
    setImmediate(() => {
      this.#turn = null
    })
  }
}
