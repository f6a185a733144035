import { limits } from '../../limits.ts'

/** How many turns may pass in a row in which others are only let in. */
const mostForArrivals = 20

/**
 * Lets requests be answered in the order of their arrival, a few in each turn of the event loop. Node accepts one new connection
 * in a turn: were all that has come answered at once, turns would be long, and whoever knocks while the server is busy would wait
 * for seconds. So a turn ends after a few milliseconds, and nearly at once while others are being let in.
 */
export class FairQueue {
  readonly #clock: () => number
  readonly #waiting: (() => void)[] = []
  #turn: { readonly until: number } | null = null
  #someoneCame = false
  #forArrivals = 0

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
    this.#turn ??= this.#beginTurn(now)
    if (now < this.#turn.until) this.#waiting.shift()?.()
    else setImmediate(this.#look)
  }

  #beginTurn(now: number): { readonly until: number } {
    // The first of the next turn.
    setImmediate(() => {
      this.#turn = null
    })
    this.#forArrivals = this.#someoneCame ? this.#forArrivals + 1 : 0
    this.#someoneCame = false
    const isForArrivals = this.#forArrivals % mostForArrivals > 0
    return { until: isForArrivals ? now : now + limits.turnMs }
  }
}
