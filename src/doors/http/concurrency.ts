import { limits } from '../../limits.ts'
import { Refusal } from '../../refusal.ts'

/** Lets so many be at work at a time; others wait in the order in which they came. */
export class Semaphore {
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
export class AccountQueue {
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

type StreamCapacity = Readonly<Record<'streamsOfAccount' | 'streams', number>>

/** Counts who listens. */
export class OpenStreams {
  readonly #capacity: StreamCapacity
  readonly #byAccount = new Map<number, number>()
  #count = 0

  constructor(capacity: StreamCapacity = limits) {
    this.#capacity = capacity
  }

  get count(): number {
    return this.#count
  }

  /** Answers how to leave. */
  enter(uid: number): () => void {
    const own = this.#byAccount.get(uid) ?? 0
    const { streams, streamsOfAccount } = this.#capacity
    if (own >= streamsOfAccount)
      throw new Refusal(
        'too-many-requests',
        `An account may listen to ${streamsOfAccount} streams at a time: close one, or ask for /changes now and then instead.`,
        { retryAfterSeconds: 10 },
      )
    if (this.#count >= streams)
      throw new Refusal(
        'busy',
        `${streams} listen already. Ask for /changes now and then instead, or try again later.`,
        {
          retryAfterSeconds: 60,
        },
      )
    this.#count += 1
    this.#byAccount.set(uid, own + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#count -= 1
      const left = (this.#byAccount.get(uid) ?? 1) - 1
      if (left === 0) this.#byAccount.delete(uid)
      else this.#byAccount.set(uid, left)
    }
  }
}
