import { Refusal } from '../refusal.ts'

/** The one who waits for an answer. */
export interface AnswerReader {
  /** Accounts take turns where several of them ask what takes long. */
  readonly account: () => number | null
  readonly isGone: () => boolean
  /** Calls `tell` once the reader has gone. Returns how to stop listening. */
  readonly onGone: (tell: () => void) => () => void
}

/** A stream is written while it is read: it has no total, and lets others in by itself. */
export type AnswerKind = 'document' | 'stream'

/** The processor milliseconds of one answer, and its request. All reads of a request share it. */
export class ReadBudget {
  readonly kind: AnswerKind
  readonly reader: AnswerReader
  /** Several requests are answered out of it: what each of them costs has to be known. */
  isShared = false
  readonly #most: number
  #left: number

  constructor(kind: AnswerKind, reader: AnswerReader, most: number = Number.POSITIVE_INFINITY) {
    this.kind = kind
    this.reader = reader
    this.#most = most
    this.#left = most
  }

  get left(): number {
    return this.#left
  }

  spend(milliseconds: number): void {
    this.#left -= milliseconds
  }

  /** Refuses to go on where nobody waits any more, or the budget is spent. */
  check(): void {
    if (this.reader.isGone()) throw gone()
    if (this.#left <= 0) throw this.#tooCostly()
  }

  /** The refusal after a statement was stopped. The budget is used up. */
  refusal(cause?: unknown): Refusal {
    this.#left = 0
    return this.reader.isGone() ? gone(cause) : this.#tooCostly()
  }

  #tooCostly(): Refusal {
    const time = Number.isFinite(this.#most)
      ? `${this.#most / 1000} seconds of processor time`
      : 'a read may take at a time'
    return new Refusal(
      'too-costly',
      `The answer would take more than ${time}. Ask for less: one type, a shorter time (such as timestamp[ge]), ` +
        'fewer values, fewer filters by part of a text, or fewer requests together. ' +
        'To read everything, use a sheet (such as /log.csv) or /changes.',
    )
  }
}

const gone = (cause?: unknown) => new Refusal('timeout', 'The caller had gone before the answer was ready.', { cause })

/** A read that would keep others waiting: it begins anew where it does not. */
export class TakesLong extends Error {}

/** Lets so many long reads run at a time. The others wait, and accounts take turns. */
export class LongReads {
  readonly #waiting = new Map<number | null, (() => void)[]>()
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  async whileInside<T>(budget: ReadBudget, work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await this.#turnOf(budget.reader.account())
    else this.#free -= 1
    try {
      budget.check()
      return await work()
    } finally {
      this.#passOn()
    }
  }

  #turnOf(account: number | null): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#waiting.get(account)
      if (line === undefined) this.#waiting.set(account, [resolve])
      else line.push(resolve)
    })
  }

  #passOn(): void {
    const [account, line] = this.#waiting.entries().next().value ?? [null, []]
    const next = line.shift()
    // The account goes to the end of the line, or leaves it.
    this.#waiting.delete(account)
    if (line.length > 0) this.#waiting.set(account, line)
    if (next === undefined) this.#free += 1
    else next()
  }
}

/** Measures work of this thread. A thread that had to wait for a processor has spent less than the time that has passed. */
export class Stopwatch {
  #wall = performance.now()
  #processor = processorMilliseconds()

  /** Processor time since it was started or last read, never more than the time that has passed. */
  lap(): number {
    const [wall, processor] = [performance.now(), processorMilliseconds()]
    const spent = Math.min(wall - this.#wall, processor - this.#processor)
    this.#wall = wall
    this.#processor = processor
    return spent
  }
}

/** Of all threads: only newer Node releases report a single one. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
