import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { isBusy } from './errors.ts'
import { openFile } from './open-file.ts'

const lookMilliseconds = 100

/** Sees every commit of every other connection, in this process and in others, and makes none itself. */
export class Watcher {
  readonly #file: DatabaseSyncInstance
  readonly #dataVersion: StatementSyncInstance
  #seen: number | undefined

  constructor(path: string) {
    this.#file = openFile(path)
    this.#dataVersion = this.#file.prepare('PRAGMA data_version')
  }

  /**
   * Looks once in a turn of the event loop: whoever asks in it came before it began. What comes later is behind the
   * forgetting in the queue, so that nobody is told of a time before their own question.
   */
  version(): number {
    if (this.#seen === undefined) {
      this.#seen = this.#look()
      setImmediate(() => {
        this.#seen = undefined
      })
    }
    return this.#seen
  }

  /** Looks ten times a second, which costs a few microseconds, and tells of every commit. Answers how to stop. */
  watch(tell: () => void): () => void {
    let known = this.version()
    const timer = setInterval(() => {
      if (!this.#file.isOpen) return
      const version = this.version()
      if (version === known) return
      known = version
      tell()
    }, lookMilliseconds).unref()
    return () => clearInterval(timer)
  }

  #look(): number {
    try {
      return this.#dataVersion.get().data_version
    } catch (error) {
      // Equal to nothing, not even to itself: for this once nobody knows.
      if (isBusy(error)) return Number.NaN
      throw error
    }
  }

  close(): void {
    if (this.#file.isOpen) this.#file.close()
  }
}
