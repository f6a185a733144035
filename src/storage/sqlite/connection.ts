import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Transaction } from '../database.ts'
import type { Pauses } from '../pauses.ts'
import { TakesLong } from '../read-budget.ts'
import { queriesOf, type SqlDialect } from '../sql/prepared.ts'
import { addFunctions, inSqlite } from './functions.ts'

interface PreparedStatement {
  readonly statement: StatementSyncInstance
  readonly returnsRows: boolean
  readonly onlyReads: boolean
}

const mostStatements = 500

/** After so many statements it is looked whether a read has taken too long: looking costs as much as a small statement. */
const statementsBetweenLooks = 8

/** The limit of one comparison, which could take seconds and cannot be interrupted. */
const mostSteps = 4_000_000

const never = Number.POSITIVE_INFINITY

/**
 * One SQLite connection with the statements it has prepared. Every answer is there before the promise is; with pauses, one that has had
 * its turn lets others be answered first.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSyncInstance
  readonly #pauses: Pauses | undefined
  readonly #prepared = new Map<string, PreparedStatement>()
  #lost = false
  #hasWritten = false
  #until = never
  #eachStatement = never
  #statements = 0
  #tookLong = false

  constructor(file: DatabaseSyncInstance, pauses?: Pauses) {
    this.#file = file
    this.#pauses = pauses
    addFunctions(file, (steps) => {
      this.#tookLong = this.#until !== never && (steps > mostSteps || performance.now() > this.#until)
      if (this.#tookLong) throw new TakesLong()
    })
  }

  /** Limits the milliseconds of the work as a whole, or of each statement; beyond that it throws TakesLong. */
  limit({ whole = never, statement = never }: { readonly whole?: number; readonly statement?: number }): void {
    this.#until = whole === never ? never : performance.now() + whole
    this.#eachStatement = statement
    this.#statements = 0
  }

  /** PostgreSQL gives a transaction up after its first failed statement. Here it is the same, so that no code relies on less. */
  get transactionIsLost(): boolean {
    return this.#lost || !this.#file.isTransaction
  }

  /** True if there may be anything to roll back. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  begin(statements: readonly string[]): void {
    for (const statement of statements) this.#run(statement, [])
    this.#lost = false
    this.#hasWritten = false
    this.#pauses?.begin()
  }

  commit(statements: readonly string[]): void {
    if (this.transactionIsLost) throw new Error('A statement of this transaction failed; it cannot be committed')
    for (const statement of statements) this.#run(statement, [])
  }

  /** A full disk or a failing one has already rolled everything back. */
  rollBack(statements: readonly string[]): void {
    this.#lost = false
    if (this.#file.isTransaction) for (const statement of statements) this.#run(statement, [])
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#lost) throw new Error('A statement of this transaction failed; it takes no more')
    if (this.#pauses?.isDue) await this.#pauses.take()
    this.#look()
    try {
      return this.#run<R>(sql, parameters)
    } catch (error) {
      this.#lost = this.#file.isTransaction
      if (!this.#tookLong) throw error
      this.#tookLong = false
      throw new TakesLong()
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages instead of streaming')
  }

  close(): void {
    this.#prepared.clear()
    if (this.#file.isOpen) this.#file.close()
  }

  #look(): void {
    if (this.#eachStatement !== never) this.#until = performance.now() + this.#eachStatement
    else if (this.#until !== never && ++this.#statements % statementsBetweenLooks === 0) {
      if (performance.now() > this.#until) throw new TakesLong()
    }
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { statement, returnsRows, onlyReads } = this.#prepare(sql)
    if (!onlyReads) this.#hasWritten = true
    const values = parameters.map(bindable)
    if (returnsRows) {
      const rows: R[] = statement.all(...values)
      return { rows }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#file.prepare(inSqlite(sql))
    const prepared = { statement, returnsRows: statement.columns().length > 0, onlyReads: /^select\b/i.test(sql) }
    if (this.#prepared.size >= mostStatements) this.#forgetOldest()
    this.#prepared.set(sql, prepared)
    return prepared
  }

  #forgetOldest(): void {
    const [oldest] = this.#prepared.keys()
    if (oldest !== undefined) this.#prepared.delete(oldest)
  }
}

/** The driver binds whole numbers beyond 32 bits as floating point unless they are bigints, and knows no booleans. */
export function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' && Number.isSafeInteger(value) && (value | 0) !== value) return BigInt(value)
  return value
}

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
