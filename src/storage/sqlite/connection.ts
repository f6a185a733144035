import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Pauses } from '../pauses.ts'

interface Prepared {
  readonly statement: StatementSyncInstance
  readonly returnsRows: boolean
  readonly onlyReads: boolean
}

const mostStatements = 500

/**
 * One SQLite connection with the statements it has prepared. Every answer is there before the promise is; with pauses, one that has had
 * its turn lets others be answered first.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseSyncInstance
  readonly #pauses: Pauses | undefined
  readonly #prepared = new Map<string, Prepared>()
  #lost = false
  #hasWritten = false

  constructor(file: DatabaseSyncInstance, pauses?: Pauses) {
    this.#file = file
    this.#pauses = pauses
  }

  /** PostgreSQL gives a transaction up after its first failed statement. Here it is the same, so that no code relies on less. */
  get transactionIsLost(): boolean {
    return this.#lost || !this.#file.isTransaction
  }

  /** Whether there may be anything to undo. */
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
    try {
      return this.#run<R>(sql, parameters)
    } catch (error) {
      this.#lost = this.#file.isTransaction
      throw error
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

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#file.prepare(sql)
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
function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' && Number.isSafeInteger(value) && (value | 0) !== value) return BigInt(value)
  return value
}
