import type { Transaction } from '../database.ts'
import { queriesOf } from '../sql/queries.ts'
import type { SqliteConnection } from './connection.ts'
import { spelling } from './spelling.ts'

/** The statements that begin, keep and undo one piece of work on a connection. */
export interface Bracket {
  readonly begin: readonly string[]
  readonly keep: readonly string[]
  readonly undo: readonly string[]
}

export const transaction: Bracket = { begin: ['BEGIN'], keep: ['COMMIT'], undo: ['ROLLBACK'] }

/** One connection with its queries. */
export class Session {
  readonly connection: SqliteConnection
  readonly #rows: Transaction

  constructor(connection: SqliteConnection) {
    this.connection = connection
    this.#rows = queriesOf(connection, 'sqlite', spelling)
  }

  ask<T>(question: (tx: Transaction) => Promise<T>): Promise<T> {
    return question(this.#rows)
  }

  async run<T>({ begin, keep, undo }: Bracket, work: (tx: Transaction) => Promise<T>): Promise<T> {
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
