const most = 4
/** So many answers in a row without trouble let one more request be under way. */
const calm = 20

/** Lets one to four requests be under way at a time: fewer when the other server has trouble, more when it has none. */
export class Lanes {
  #open = 2
  #busy = 0
  #inARow = 0
  readonly #waiting: (() => void)[] = []

  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.#busy >= this.#open) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
      this.#waiting.shift()?.()
    }
  }

  succeeded(): void {
    this.#inARow += 1
    if (this.#inARow < calm || this.#open === most) return
    this.#inARow = 0
    this.#open += 1
    this.#waiting.shift()?.()
  }

  failed(): void {
    this.#inARow = 0
    this.#open = Math.max(1, this.#open >> 1)
  }
}
