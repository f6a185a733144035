import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Driver } from 'kysely'
import { SqliteConnection } from './connection.ts'

/** The one connection that writes. What Kysely takes for a transaction is a savepoint inside the batch (see write-queue.ts). */
export class Writer implements Driver {
  readonly #connection: SqliteConnection

  constructor(file: DatabaseSyncInstance) {
    this.#connection = new SqliteConnection(file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    this.#connection.begin('SAVEPOINT job')
  }

  async commitTransaction(): Promise<void> {
    this.#connection.commit('RELEASE job')
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.rollBack('ROLLBACK TO job', 'RELEASE job')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection.close()
  }
}
