import type { Driver } from 'kysely'
import { SqliteConnection } from './connection.ts'
import { openFile } from './open-file.ts'

/** A few connections that cannot write. A transaction of theirs keeps the snapshot of its first query. */
export class Readers implements Driver {
  readonly #all: readonly SqliteConnection[]
  readonly #idle: SqliteConnection[]
  readonly #waiting: ((connection: SqliteConnection) => void)[] = []

  constructor(path: string, count: number) {
    this.#all = Array.from({ length: count }, () => {
      const file = openFile(path)
      file.exec('PRAGMA query_only=ON')
      return new SqliteConnection(file)
    })
    this.#idle = [...this.#all]
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return this.#idle.pop() ?? new Promise((resolve) => this.#waiting.push(resolve))
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    connection.begin('BEGIN')
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.commit('COMMIT')
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollBack('ROLLBACK')
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }

  async destroy(): Promise<void> {
    for (const connection of this.#all) connection.close()
  }
}
