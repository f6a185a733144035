/** Lets so many be at work at a time; others wait in the order in which they came. */
export class Places {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  async whileInside<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free -= 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

/** One place for each account: what else it asks for waits, and takes no place from others. */
export class AccountPlaces {
  readonly #last = new Map<number, Promise<unknown>>()

  async whileInside<T>(uid: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(uid)
    const own = Promise.allSettled([before]).then(work)
    this.#last.set(uid, own)
    try {
      return await own
    } finally {
      if (this.#last.get(uid) === own) this.#last.delete(uid)
    }
  }
}
