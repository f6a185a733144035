import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { Refusal } from '../../refusal.ts'
import type { Database, Snapshot } from '../database.ts'
import { Pauses } from '../pauses.ts'
import { type ReadBudget, Stopwatch, TakesLong } from '../read-budget.ts'
import { isBusy, isDiskTrouble, messageOf } from '../sql/errors.ts'
import { SqliteConnection, SqliteSession, transaction } from './connection.ts'
import { openFile } from './open-file.ts'
import { ReadThreads } from './read-threads.ts'
import { longEnoughForOthers, retryWhileBusy, usualPatience, WriteQueue } from './write-queue.ts'

/** Opened as they are needed. Six may be taken by sheets and maps for as long as their rows are read. */
const readerCount = 10

/** Waits `patience` milliseconds for other processes that hold the lock before it refuses. */
export function openSqlite(path: string, patience: number = usualPatience): Database {
  const file = openFile(path)
  const writer = new SqliteSession(new SqliteConnection(file, new Pauses()))
  const readers = new Readers(path, readerCount)
  const queue = new WriteQueue({ file, writer, patience })
  const watcher = new Watcher(path)
  return {
    engine: 'sqlite',
    read: (work, budget) => retryWhileBusy(patience, () => readers.read(work, budget)),
    ask: (question) => retryWhileBusy(patience, () => readers.ask(question)),
    write: (work) => queue.add(work, 'kept').catch(refuseDiskTrouble),
    dryRun: (work) => queue.add(work, 'undone').catch(refuseDiskTrouble),
    letOthersWrite: longEnoughForOthers,
    version: () => watcher.version(),
    giveRoomBack: () => giveRoomBack(file, queue),
    watchChanges: (tell) => watcher.watch(tell),
    async close() {
      await queue.settle()
      watcher.close()
      await readers.close()
      writer.connection.close()
    },
  }
}

/** So long one slice of giving room back keeps others from writing, in milliseconds, and so long they have between two. */
const slice = { work: 10, pause: 40 }
const pagesAtOnce = 16

/** Only files that were made for it have pages to give: others are converted by `furrow compact`. */
async function giveRoomBack(file: DatabaseSyncInstance, queue: WriteQueue): Promise<void> {
  const isIncremental = file.prepare('PRAGMA auto_vacuum').get().auto_vacuum === 2
  const unused = file.prepare('PRAGMA freelist_count')
  while (isIncremental && unused.get().freelist_count > 0) {
    await queue.add(async () => {
      const until = performance.now() + slice.work
      while (unused.get().freelist_count > 0 && performance.now() < until)
        file.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
    }, 'kept')
    await sleep(slice.pause)
  }
}

/** Nothing was written, and a retry may succeed once there is room. */
function refuseDiskTrouble(error: unknown): never {
  if (!isDiskTrouble(error)) throw error
  throw new Refusal(
    'busy',
    `Nothing was saved, because the disk is full or failing (${messageOf(error)}). Try again later.`,
    { retryAfterSeconds: 30 },
  )
}

/** Milliseconds that others wait for one read; a longer one goes on in a thread. */
const briefly = 25

/**
 * A few connections that cannot write, each opened when all others are at work. Work on one of them keeps the snapshot of
 * its first query.
 */
class Readers {
  readonly #path: string
  readonly #most: number
  readonly #threads: ReadThreads
  readonly #all: SqliteSession[] = []
  readonly #idle: SqliteSession[] = []
  readonly #waiting: ((session: SqliteSession) => void)[] = []

  constructor(path: string, most: number) {
    this.#path = path
    this.#most = most
    this.#threads = new ReadThreads(path)
    this.#idle.push(this.#open())
  }

  async read<T>(work: (snapshot: Snapshot) => Promise<T>, budget?: ReadBudget): Promise<T> {
    if (budget === undefined) return this.#on((session) => session.run(transaction, work))
    try {
      return await this.#on((session) => readBriefly(session, work, budget))
    } catch (error) {
      if (!(error instanceof TakesLong)) throw error
      return this.#threads.read(work, budget)
    }
  }

  ask<T>(question: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#on((session) => session.ask(question))
  }

  async #on<T>(work: (session: SqliteSession) => Promise<T>): Promise<T> {
    const session = this.#free() ?? (await new Promise<SqliteSession>((resolve) => this.#waiting.push(resolve)))
    try {
      return await work(session)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(session)
      else this.#idle.push(session)
    }
  }

  async close(): Promise<void> {
    await this.#threads.close()
    for (const { connection } of this.#all) connection.close()
  }

  #free(): SqliteSession | undefined {
    return this.#idle.pop() ?? (this.#all.length < this.#most ? this.#open() : undefined)
  }

  #open(): SqliteSession {
    const file = openFile(this.#path)
    file.exec('PRAGMA query_only=ON')
    const session = new SqliteSession(new SqliteConnection(file))
    this.#all.push(session)
    return session
  }
}

async function readBriefly<T>(
  session: SqliteSession,
  work: (snapshot: Snapshot) => Promise<T>,
  budget: ReadBudget,
): Promise<T> {
  budget.check()
  const stopwatch = budget.isShared ? new Stopwatch() : undefined
  session.connection.limit(budget.kind === 'stream' ? { statement: briefly } : { whole: briefly })
  try {
    return await session.run(transaction, work)
  } finally {
    session.connection.limit({})
    if (stopwatch !== undefined) budget.spend(stopwatch.lap())
  }
}

const lookMilliseconds = 100

/** Sees every commit of every other connection, in this process and in others, and makes none itself. */
class Watcher {
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
