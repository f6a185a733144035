import { createHash } from 'node:crypto'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { CopiedRows, copyRows } from './copy.ts'
import { isConnectionLoss, isStalePlan } from './errors.ts'

export class PostgresDriver implements Driver {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await this.#pool.connect())
  }

  async beginTransaction(connection: PostgresConnection, settings: TransactionSettings): Promise<void> {
    await connection.run(`start transaction isolation level ${settings.isolationLevel} ${settings.accessMode}`)
  }

  /** The server answers a commit after a failed statement with a rollback, and without an error. */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    const done = await connection.run('commit')
    if (done !== 'COMMIT') throw new Error('A statement of this transaction failed; it cannot be committed')
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollBack()
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient
  #unusable = false

  constructor(client: PoolClient) {
    this.#client = client
  }

  /** Resolves to the command that the server says it has done. */
  async run(statement: string): Promise<string> {
    return (await this.#client.query(statement)).command
  }

  async rollBack(): Promise<void> {
    try {
      await this.run('rollback')
    } catch {
      // The server rolls back by itself when it loses the connection.
      this.#unusable = true
    }
  }

  release(): void {
    this.#client.release(this.#unusable)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const [first] = parameters
    try {
      if (first instanceof CopiedRows) {
        await copyRows(this.#client, sql, first)
        return { rows: [] }
      }
      const values = parameters.map(oneOrZero)
      const { rows, rowCount } = await this.#client.query({ ...named(sql), values })
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      this.#unusable ||= isStalePlan(error) || isConnectionLoss(error)
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Read in pages instead of streaming')
  }
}

/** The tables hold no booleans, only 1 and 0. */
function oneOrZero(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

const mostNames = 1000
const names = new Map<string, string>()

/** A name makes the server keep the plan. Every connection keeps all of them, so their number is bounded. */
function named(sql: string): { text: string; name?: string } {
  const known = names.get(sql)
  if (known) return { text: sql, name: known }
  if (names.size >= mostNames) return { text: sql }
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 20)
  names.set(sql, name)
  return { text: sql, name }
}
