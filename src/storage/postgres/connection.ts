import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { type Pool, type PoolClient, types } from 'pg'
import type { Transaction } from '../database.ts'
import { type ReadBudget, TakesLong } from '../read-budget.ts'
import { isClosed, isOnStandby, isStalePlan } from '../sql/errors.ts'
import { queriesOf, type SendingConnection, type SqlDialect } from '../sql/prepared.ts'
import { CopiedRows, copyRows } from './copy.ts'

const spelling: SqlDialect = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (queries) => new PostgresIntrospector(queries),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

/** The server does not tell its processor time. So many milliseconds of waiting for it count as one. */
export const waitedForProcessor = 5

/** Processes on the other side, by client: a pooler in between tells the driver another number. */
const processes = new WeakMap<object, number>()

export const noteProcess = (client: object, process: number): void => {
  processes.set(client, process)
}

export const processOf = (client: object): number => processes.get(client) ?? 0

const known = new WeakMap<PoolClient, PostgresConnection>()

/** A connection that nobody else has until it is released. */
export async function connectionFrom(pool: Pool): Promise<PostgresConnection> {
  const client = await pool.connect()
  const connection = known.get(client) ?? new PostgresConnection(client)
  known.set(client, connection)
  return connection
}

/** Statements of one connection that are on their way without anybody waiting. */
const mostSent = 16

/** The driver knows its socket, its types do not. */
type SocketClient = PoolClient & { readonly connection: { readonly stream: Socket } }

export class PostgresConnection implements SendingConnection {
  readonly tx: Transaction
  /** The time at which it was made. */
  readonly made = performance.now()
  readonly #client: SocketClient
  readonly #sent: Promise<void>[] = []
  #beginning: string | undefined
  #begins: Promise<unknown> | undefined
  #budget: ReadBudget | undefined
  #until = Number.POSITIVE_INFINITY
  #answered = 0
  #unusable = false
  #gathers = false
  #fault: unknown
  #sentFault: unknown

  constructor(client: PoolClient) {
    this.#client = client as SocketClient
    this.tx = queriesOf(this, 'postgres', spelling)
  }

  /** Says it without waiting for the answer: only where the driver sends statement after statement, and only for reads. */
  say(statement: string): void {
    this.run(statement).catch((error) => {
      this.#unusable = true
      this.#fault ??= error
    })
  }

  /** The process that answers on the other side. */
  get processId(): number {
    return processOf(this.#client)
  }

  /** Never used again. */
  close(): void {
    this.#client.release(true)
  }

  /** Ends it without a word to the server, which may be silent; statements under way fail. */
  cut(): void {
    this.#unusable = true
    this.#client.connection.stream.destroy()
  }

  /** Sends the statements of one tick together: a write to the socket costs more than most of them. */
  #gather(): void {
    if (this.#gathers) return
    this.#gathers = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#gathers = false
      stream.uncork()
    })
  }

  /** Until release: statements spend the budget, and work beyond the milliseconds throws TakesLong. */
  limit(budget: ReadBudget, milliseconds: number): void {
    this.#budget = budget
    this.#until = performance.now() + milliseconds
  }

  /** The fault since the connection was taken. */
  get fault(): unknown {
    return this.#fault
  }

  /** Begins a transaction with its first statement. */
  begin(statement: string): void {
    this.#beginning = statement
  }

  /** Sends a statement of a transaction that writes, without waiting for its result. */
  async send(query: CompiledQuery): Promise<void> {
    await this.#begun(query.sql)
    this.#sent.push(
      this.#run(query).then(
        () => {},
        (error) => {
          this.#sentFault ??= error
        },
      ),
    )
    if (this.#sent.length > mostSent) await this.faultOfSent()
  }

  /** The error of a sent statement, once every one is answered. */
  async faultOfSent(): Promise<unknown> {
    await Promise.all(this.#sent)
    this.#sent.length = 0
    return this.#sentFault
  }

  /** A read travels with the beginning. A write waits for it: outside of a transaction it would take effect at once. */
  async #begun(sql: string): Promise<void> {
    if (this.#beginning === undefined) return
    this.#begins ??= this.run(this.#beginning)
    if (sql.startsWith('select ')) return void this.#begins.catch(() => {})
    await this.#begins
    this.#beginning = undefined
  }

  /** False while a transaction that is to begin has no statement yet. */
  get hasBegun(): boolean {
    return this.#beginning === undefined || this.#begins !== undefined
  }

  /** Resolves to the command that the server says it has done. */
  async run(statement: string): Promise<string> {
    this.#gather()
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
    this.#fault = undefined
    this.#sentFault = undefined
    this.#beginning = undefined
    this.#begins = undefined
    this.#budget = undefined
    this.#until = Number.POSITIVE_INFINITY
    this.#client.release(this.#unusable)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#beginning !== undefined) await this.#begun(query.sql)
    const budget = this.#budget
    if (budget === undefined) return this.#run(query)
    const begun = performance.now()
    budget.check()
    if (begun > this.#until) throw new TakesLong()
    try {
      return await this.#run(query)
    } finally {
      // Statements that travel together are answered one after the other.
      const answered = performance.now()
      budget.spend((answered - Math.max(begun, this.#answered)) / waitedForProcessor)
      this.#answered = answered
    }
  }

  async #run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const [first] = parameters
    try {
      if (first instanceof CopiedRows) {
        await this.#alone(() => copyRows(this.#client, sql, first))
        return { rows: [] }
      }
      const values = parameters.map(oneOrZero)
      this.#gather()
      const { rows, rowCount } = await this.#client.query({ ...named(sql), values })
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      this.#fault ??= error
      this.#unusable ||= isStalePlan(error) || isClosed(error) || isOnStandby(error)
      throw error
    }
  }

  /** Rows are copied in by a query of our own, which the driver refuses where statements may follow one another. */
  async #alone(work: () => Promise<void>): Promise<void> {
    await this.faultOfSent()
    // The driver reads this member at each query; its types lack it.
    const client = this.#client as PoolClient & { pipeline: boolean }
    client.pipeline = false
    try {
      await work()
    } finally {
      client.pipeline = true
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

const { builtins, getTypeParser } = types

/** Numbers come back as numbers and truth as 1 or 0, as they do from SQLite. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
])

export const valueTypes: typeof types = {
  ...types,
  // pg declares one overload per format; all parsers here are for text, the only format it is asked for.
  getTypeParser: ((type: number, format?: 'text') =>
    parsers.get(type) ?? getTypeParser(type, format)) as typeof getTypeParser,
}
