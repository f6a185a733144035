import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Refusal } from '../../refusal.ts'
import type { ChangeEnding } from '../change-set.ts'
import type { Transaction } from '../database.ts'
import { isBusy } from '../sql/errors.ts'
import type { Bracket, SqliteSession } from './connection.ts'

type Work<T> = (tx: Transaction) => Promise<T>

interface Job {
  readonly work: Work<unknown>
  readonly ending: ChangeEnding
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

const unprotected: Bracket = { begin: [], keep: [], undo: [] }

const protectedByItself: Bracket = {
  begin: ['SAVEPOINT job'],
  keep: ['RELEASE job'],
  undo: ['ROLLBACK TO job', 'RELEASE job'],
}

/** The last job of a batch has failed and had already written: nothing but the whole batch can be undone. */
class SpoiltWrite extends Error {}

interface Installation {
  readonly file: DatabaseSyncInstance
  readonly writer: SqliteSession
  readonly patience: number
}

/**
 * Runs jobs one after another and commits those that wait together with one sync to disk; a job is answered only once its
 * batch is on the disk. A savepoint for each job would have SQLite copy every page that it changes into a temporary file,
 * though hardly any job fails once it has begun to write. So jobs run without; where one does fail then, its batch is undone
 * and those before it are run again, with savepoints this time.
 */
export class WriteQueue {
  readonly #file: DatabaseSyncInstance
  readonly #writer: SqliteSession
  readonly #patience: number
  #waiting: Job[] = []
  #work: Promise<void> | null = null
  #commitMilliseconds = 0

  constructor({ file, writer, patience }: Installation) {
    this.#file = file
    this.#writer = writer
    this.#patience = patience
  }

  async add<T>(work: Work<T>, ending: ChangeEnding): Promise<T> {
    if (this.#waiting.length >= mostWaiting) {
      throw new Refusal('busy', 'The farm is busy: too many changes are waiting to be saved. Try again.', {
        retryAfterSeconds: 1,
      })
    }
    return new Promise<T>((resolve, reject) => {
      // The cast is safe: a job resolves to the result of its own work.
      this.#waiting.push({ work, ending, resolve: resolve as Job['resolve'], reject })
      this.#work ??= this.#workOff()
    })
  }

  /** Resolves when everything that waits has been answered. */
  async settle(): Promise<void> {
    while (this.#work) await this.#work
  }

  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Answered clients are notified first, and may send more while this batch runs.
      await nextTurn()
      try {
        await this.#begin()
      } catch (error) {
        for (const job of this.#waiting.splice(0)) job.reject(error)
        break
      }
      const dry = this.#take('undone')
      await (dry === undefined ? this.#runBatch() : this.#runDry(dry))
    }
    this.#work = null
  }

  /** In its own transaction: nothing is left to commit, and no change is signalled. */
  async #runDry(job: Job): Promise<void> {
    try {
      const value = await this.#writer.run(unprotected, job.work)
      this.#undo()
      job.resolve(value)
    } catch (error) {
      this.#undo()
      job.reject(error)
    }
  }

  /** The next of those that wait, if it is to end so. */
  #take(ending: ChangeEnding): Job | undefined {
    return this.#waiting[0]?.ending === ending ? this.#waiting.shift() : undefined
  }

  #begin(): Promise<void> {
    return retryWhileBusy(this.#patience, () => this.#file.exec('BEGIN IMMEDIATE'))
  }

  async #runBatch(): Promise<void> {
    const batch: Job[] = []
    try {
      const answers = await this.#takeAndRun(batch).catch((error) => this.#runAgain(batch, error))
      const begun = performance.now()
      this.#file.exec('COMMIT')
      this.#commitMilliseconds = performance.now() - begun
      for (const answer of answers) answer()
    } catch (error) {
      this.#undo()
      for (const job of batch) job.reject(error)
    }
  }

  async #takeAndRun(batch: Job[]): Promise<readonly (() => void)[]> {
    const answers: (() => void)[] = []
    const until = performance.now() + Math.max(shortestBatchMilliseconds, batchPerCommit * this.#commitMilliseconds)
    const isEarly = () => performance.now() < until
    while (batch.length < mostInABatch && isEarly()) {
      // Work stops the event loop: what others have sent meanwhile is read in its next turn, and then shares the commit.
      if (this.#waiting.length === 0) await nextTurn()
      const job = isEarly() ? this.#take('kept') : undefined
      if (!job) break
      batch.push(job)
      answers.push(await this.#answer(job, unprotected))
    }
    return answers
  }

  async #runAgain(batch: readonly Job[], error: unknown): Promise<readonly (() => void)[]> {
    if (!(error instanceof SpoiltWrite)) throw error
    this.#file.exec('ROLLBACK')
    await this.#begin()
    const answers = [() => batch.at(-1)?.reject(error.cause)]
    for (const job of batch.slice(0, -1)) answers.push(await this.#answer(job, protectedByItself))
    return answers
  }

  /** If even this fails, the disk is beyond help, and the next batch reports it. */
  #undo(): void {
    try {
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
    } catch {}
  }

  /** The completion of a job after the commit. Throws if the whole batch is lost (a full disk) or spoilt. */
  async #answer(job: Job, bracket: Bracket): Promise<() => void> {
    try {
      const value = await this.#writer.run(bracket, job.work)
      return () => job.resolve(value)
    } catch (error) {
      if (!this.#file.isTransaction) throw error
      if (bracket === unprotected && this.#writer.connection.hasWritten) throw new SpoiltWrite('', { cause: error })
      return () => job.reject(error)
    }
  }
}

/** Milliseconds to wait for another process that holds the lock. */
export const usualPatience = 5000

const longestPause = 50

/** Long enough for every waiting process to try the lock once. */
export const longEnoughForOthers = (): Promise<void> => sleep(longestPause * 1.5)

/** SQLite's own busy timeout would stop the event loop, so the waiting is done here. */
export async function retryWhileBusy<T>(patience: number, attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patience
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() + pause > deadline) {
        throw new Refusal('busy', 'Another program is using the database. Try again.', { retryAfterSeconds: 1 })
      }
    }
    await sleep(pause)
  }
}
