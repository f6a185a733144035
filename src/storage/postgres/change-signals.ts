import { Client, type ClientConfig, type Pool } from 'pg'

const channel = 'furrow_changes'

/** Polling interval: the channel only makes it faster. */
const everyMilliseconds = 900

/** Changes that follow one another so closely are told of together. */
const togetherMilliseconds = 50

/** If no connection can listen, as behind some poolers, it is tried again after this many polls. */
const looksBetweenTries = 10

/**
 * Tells those who wait for changes, in this process and in others. A notification within the transaction of the change would make
 * commits wait for one another, so it is sent after it, from another connection.
 */
export class ChangeSignals {
  readonly #config: () => ClientConfig
  readonly #pool: Pool
  readonly #watchers = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #untold: NodeJS.Timeout | undefined
  #listener: Client | undefined
  #looks = 0

  constructor(config: () => ClientConfig, pool: Pool) {
    this.#config = config
    this.#pool = pool
  }

  /** A change of this process is committed. */
  noteCommit(): void {
    this.#tell()
    this.#untold ??= setTimeout(() => this.#notify(), togetherMilliseconds).unref()
  }

  /** Answers how to stop. */
  watch(tell: () => void): () => void {
    this.#watchers.add(tell)
    this.#timer ??= setInterval(() => this.#look(), everyMilliseconds).unref()
    this.#listen()
    return () => {
      this.#watchers.delete(tell)
      if (this.#watchers.size === 0) this.#rest()
    }
  }

  async close(): Promise<void> {
    this.#watchers.clear()
    this.#rest()
    if (this.#untold !== undefined) await this.#notify()
  }

  readonly #tell = (): void => {
    for (const tell of this.#watchers) tell()
  }

  #look(): void {
    this.#looks += 1
    if (this.#listener === undefined && this.#looks % looksBetweenTries === 0) this.#listen()
    this.#tell()
  }

  #listen(): void {
    if (this.#listener !== undefined) return
    const listener = new Client(this.#config())
    const drop = () => {
      if (this.#listener === listener) this.#listener = undefined
      listener.end().catch(() => {})
    }
    this.#listener = listener
    listener.on('error', drop)
    listener.on('end', drop)
    listener.on('notification', this.#tell)
    listener
      .connect()
      .then(() => listener.query(`listen ${channel}`))
      .catch(drop)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    const listener = this.#listener
    this.#listener = undefined
    listener?.end().catch(() => {})
  }

  /** A listener that misses it polls soon anyway. */
  async #notify(): Promise<void> {
    clearTimeout(this.#untold)
    this.#untold = undefined
    await this.#pool.query(`notify ${channel}`).catch(() => {})
  }
}
