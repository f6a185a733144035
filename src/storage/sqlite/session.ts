import type { Compilable, CompiledQuery, Driver } from 'kysely'
import { onEngine, type Writing } from '../database.ts'
import type { SqliteConnection } from './connection.ts'
import { queriesOver } from './dialect.ts'

/** The statements that begin, keep and undo one piece of work on a connection. */
export interface Bracket {
  readonly begin: readonly string[]
  readonly keep: readonly string[]
  readonly undo: readonly string[]
}

export const transaction: Bracket = { begin: ['BEGIN'], keep: ['COMMIT'], undo: ['ROLLBACK'] }

/** One connection with its queries. The queries are made once: making them takes longer than most of them run. */
export class Session {
  readonly connection: SqliteConnection
  readonly #rows: Writing

  constructor(connection: SqliteConnection) {
    this.connection = connection
    const queries = onEngine(queriesOver(new OnlyConnection(connection)), 'sqlite')
    // A compiled query needs nothing of what Kysely does on the way to the connection, which takes longer than most of them run.
    this.#rows = Object.assign(queries, {
      executeQuery: <R>(query: CompiledQuery<R> | Compilable<R>) =>
        connection.executeQuery<R>('compile' in query ? query.compile() : query),
    })
  }

  async run<T>({ begin, keep, undo }: Bracket, work: (rows: Writing) => Promise<T>): Promise<T> {
    this.connection.begin(begin)
    try {
      const result = await work(this.#rows)
      this.connection.commit(keep)
      return result
    } catch (error) {
      this.connection.rollBack(undo)
      throw error
    }
  }
}

/** Transactions are the session's business; Kysely only asks for the connection. */
class OnlyConnection implements Driver {
  readonly #connection: SqliteConnection

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<never> {
    throw new Error('Work is already in a transaction')
  }

  commitTransaction = this.beginTransaction
  rollbackTransaction = this.beginTransaction

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
