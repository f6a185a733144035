import { type Compilable, type CompiledQuery, type DatabaseConnection, type Dialect, type Driver, Kysely } from 'kysely'
import { type Engine, onEngine, type Transaction } from '../database.ts'
import type { Tables } from './tables.ts'

/** How the queries of an engine are spelled. */
export type Spelling = Omit<Dialect, 'createDriver'>

/** The queries of one connection, made once for it: making them takes longer than most of them run. */
export function queriesOf(connection: DatabaseConnection, engine: Engine, spelling: Spelling): Transaction {
  const dialect = { ...spelling, createDriver: () => new OnlyConnection(connection) }
  return Object.assign(onEngine(new Kysely<Tables>({ dialect }), engine), {
    // A compiled query needs nothing of what Kysely does on the way to the connection, which takes longer than most of them run.
    executeQuery: <R>(query: CompiledQuery<R> | Compilable<R>) =>
      connection.executeQuery<R>('compile' in query ? query.compile() : query),
  })
}

/** Transactions are the business of whoever has the connection; Kysely only asks for it. */
class OnlyConnection implements Driver {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
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
