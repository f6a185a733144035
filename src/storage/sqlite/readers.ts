import type { Snapshot } from '../database.ts'
import { type ReadBudget, Stopwatch, TakesLong } from '../read-budget.ts'
import { SqliteConnection } from './connection.ts'
import { openFile } from './open-file.ts'
import { ReadThreads } from './read-threads.ts'
import { Session, transaction } from './session.ts'

/** For so long others wait for one read, in milliseconds; what takes longer goes on in a thread. */
const briefly = 25

/**
 * A few connections that cannot write, each opened when all others are at work. Work on one of them keeps the snapshot of
 * its first query.
 */
export class Readers {
  readonly #path: string
  readonly #most: number
  readonly #threads: ReadThreads
  readonly #all: Session[] = []
  readonly #idle: Session[] = []
  readonly #waiting: ((session: Session) => void)[] = []

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

  async #on<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.#free() ?? (await new Promise<Session>((resolve) => this.#waiting.push(resolve)))
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

  #free(): Session | undefined {
    return this.#idle.pop() ?? (this.#all.length < this.#most ? this.#open() : undefined)
  }

  #open(): Session {
    const file = openFile(this.#path)
    file.exec('PRAGMA query_only=ON')
    const session = new Session(new SqliteConnection(file))
    this.#all.push(session)
    return session
  }
}

async function readBriefly<T>(
  session: Session,
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
