import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Refusal } from '../../refusal.ts'
import { retryWhileBusy } from './patience.ts'

interface Job {
  run(): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

const mostInABatch = 64

/**
 * No job begins in a batch that has taken so long, because readers and those who knock wait while it runs. Where a commit
 * takes its time, more has to go into one.
 */
const shortestBatchMilliseconds = 10
const batchPerCommit = 3

const mostWaiting = 4096

/**
 * Runs jobs one after another and commits those that wait together with one sync to disk. Each job opens a savepoint of
 * its own, so that a job that fails takes nothing with it; a job is answered only once its batch is on the disk.
 */
export class WriteQueue {
  readonly #file: DatabaseSyncInstance
  readonly #patience: number
  #waiting: Job[] = []
  #work: Promise<void> | null = null
  #commitMilliseconds = 0

  constructor(file: DatabaseSyncInstance, patience: number) {
    this.#file = file
    this.#patience = patience
  }

  async add<T>(run: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= mostWaiting) {
      throw new Refusal('busy', 'Too many changes are waiting to be saved. Try again.', { retryAfterSeconds: 1 })
    }
    return new Promise<T>((resolve, reject) => {
      // What this job resolves to is what its own run gave.
      this.#waiting.push({ run, resolve: resolve as Job['resolve'], reject })
      this.#work ??= this.#workOff()
    })
  }

  /** Resolves when everything that waits has been answered. */
  async settle(): Promise<void> {
    while (this.#work) await this.#work
  }

  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      // A commit stops the event loop; what other sockets have sent meanwhile joins the next batch only if it is read first.
      await nextTurn()
      try {
        await retryWhileBusy(this.#patience, () => this.#file.exec('BEGIN IMMEDIATE'))
      } catch (error) {
        for (const job of this.#waiting.splice(0)) job.reject(error)
        break
      }
      await this.#runBatch()
    }
    this.#work = null
  }

  async #runBatch(): Promise<void> {
    const batch: Job[] = []
    const answers: (() => void)[] = []
    const until = performance.now() + Math.max(shortestBatchMilliseconds, batchPerCommit * this.#commitMilliseconds)
    try {
      while (batch.length < mostInABatch && performance.now() < until) {
        const job = this.#waiting.shift()
        if (!job) break
        batch.push(job)
        answers.push(await this.#answer(job))
      }
      const begun = performance.now()
      this.#file.exec('COMMIT')
      this.#commitMilliseconds = performance.now() - begun
      for (const answer of answers) answer()
    } catch (error) {
      this.#undo()
      for (const job of batch) job.reject(error)
    }
  }

  /** Where even this fails the disk is beyond help, and the next batch will say so. */
  #undo(): void {
    try {
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
    } catch {}
  }

  /** What to tell the job once the batch is committed. Throws when the whole batch is lost (a full disk). */
  async #answer(job: Job): Promise<() => void> {
    try {
      const value = await job.run()
      return () => job.resolve(value)
    } catch (error) {
      if (!this.#file.isTransaction) throw error
      return () => job.reject(error)
    }
  }
}
