import { type SelectModifierNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Transaction } from '../database.ts'
import { queriesOf, type SqlDialect } from '../sql/prepared.ts'
import type { SqliteConnection } from './connection.ts'

/** The statements that begin, keep and undo one piece of work on a connection. */
export interface Bracket {
  readonly begin: readonly string[]
  readonly keep: readonly string[]
  readonly undo: readonly string[]
}

export const transaction: Bracket = { begin: ['BEGIN'], keep: ['COMMIT'], undo: ['ROLLBACK'] }

/** One connection with its queries. */
export class SqliteSession {
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

/** The one writer locks everything, so that row locks are left out and the same queries run on both engines. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct' || node.rawModifier) super.visitSelectModifier(node)
  }
}

export const spelling: SqlDialect = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (queries) => new SqliteIntrospector(queries),
  createQueryCompiler: () => new LocklessQueryCompiler(),
}
