import {
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import { type Engine, onEngine, type Snapshot, type Transaction } from '../database.ts'
import type { Tables } from './tables.ts'

/** Parameters of a prepared query: single values, and lists for `in`. Undefined counts as left out. */
type Parameter = string | number | null | Uint8Array | readonly (string | number)[] | undefined

type Parameters<P> = { readonly [K in keyof P]: Parameter }

type None = Readonly<Record<never, never>>

type Build<P, R, Q> = (rows: Q, parameters: P) => Compilable<R>

/** A query that takes nothing is asked without anything. */
type QueryArguments<P> = [keyof P] extends [never] ? [] : [parameters: P]

/** Stands in a query for a value that comes later. */
class Slot {
  readonly name: string
  readonly index: number

  constructor(name: string, index: number) {
    this.name = name
    this.index = index
  }
}

/** The rows of a query of a fixed shape. */
export function prepared<R, P extends Parameters<P> = None, Q extends Snapshot = Snapshot>(
  build: Build<P, R, Q>,
): (snapshot: Q, ...given: QueryArguments<P>) => Promise<readonly R[]> {
  const run = builtOnce(build)
  return async (snapshot, ...given) => (await run(snapshot, given)).rows
}

/** Its first row, if there is one. */
export function preparedFirst<R, P extends Parameters<P> = None, Q extends Snapshot = Snapshot>(
  build: Build<P, R, Q>,
): (snapshot: Q, ...given: QueryArguments<P>) => Promise<R | undefined> {
  const run = builtOnce(build)
  return async (snapshot, ...given) => (await run(snapshot, given)).rows[0]
}

/** A change of a fixed shape, sent without a wait for its result. */
export function preparedSending<P extends Parameters<P> = None>(
  build: Build<P, unknown, Transaction>,
): (tx: Transaction, ...given: QueryArguments<P>) => Promise<unknown> {
  const fill = filledOnce(build)
  return (tx, ...given) => tx.send(fill(tx, given))
}

/** A change of a fixed shape: how many rows it touched. */
export function preparedChange<P extends Parameters<P> = None>(
  build: Build<P, unknown, Transaction>,
): (tx: Transaction, ...given: QueryArguments<P>) => Promise<number> {
  const run = builtOnce(build)
  return async (tx, ...given) => Number((await run(tx, given)).numAffectedRows)
}

/**
 * A query that is built and compiled once per shape, because building takes ten times as long as running. A parameter that is
 * left out makes another shape. Lists are filled up to a few lengths by repeating their last value, so that the shapes stay few;
 * an empty list is a bug.
 */
function filledOnce<R, P extends Parameters<P>, Q extends Snapshot>(build: Build<P, R, Q>) {
  const templates = new Map<string, CompiledQuery<R>>()
  return (snapshot: Q, [parameters = nothing as P]: readonly P[]): CompiledQuery<R> => {
    const shape = snapshot.engine + shapeOf(parameters)
    let template = templates.get(shape)
    if (template === undefined) {
      template = build(snapshot, slotsFor(parameters)).compile()
      templates.set(shape, template)
    }
    const values = template.parameters.map((value) => (value instanceof Slot ? filled(value, parameters) : value))
    return statementOf(template.sql, values)
  }
}

function builtOnce<R, P extends Parameters<P>, Q extends Snapshot>(build: Build<P, R, Q>) {
  const fill = filledOnce(build)
  return (snapshot: Q, given: readonly P[]): Promise<QueryResult<R>> => snapshot.executeQuery<R>(fill(snapshot, given))
}

const nothing = {}

/** Numbers as a table in a query, a row for each; the engines are told that they are numbers, because one of them cannot see it. */
export function asTable<R>(...columns: readonly (readonly number[])[]): RawBuilder<R> {
  const tuples = (columns[0] ?? []).map(
    (_, row) => sql`(${sql.join(columns.map((column) => sql`cast(${column[row]} as bigint)`))})`,
  )
  return sql`(values ${sql.join(tuples)})`
}

const lengths = [1, 2, 4, 8, 16, 32, 64, 100, 250, 500, 1000]

const lengthFor = (list: readonly unknown[]): number =>
  lengths.find((length) => length >= list.length) ?? Math.ceil(list.length / 1000) * 1000

function shapeOf(parameters: object): string {
  let shape = ''
  for (const name in parameters) {
    const value: unknown = parameters[name as keyof typeof parameters]
    if (value !== undefined) shape += Array.isArray(value) ? ` ${name}*${lengthFor(value)}` : ` ${name}`
  }
  return shape
}

function slotsFor<P extends object>(parameters: P): P {
  const slots: Record<string, Slot | readonly Slot[]> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    slots[name] = Array.isArray(value)
      ? Array.from({ length: lengthFor(value) }, (_, index) => new Slot(name, index))
      : new Slot(name, 0)
  }
  // Kysely hands values through to the driver hidden, so slots may stand where values are declared.
  return slots as P
}

function filled({ name, index }: Slot, parameters: object): unknown {
  const value: unknown = parameters[name as keyof typeof parameters]
  return Array.isArray(value) ? (value[index] ?? value.at(-1)) : value
}

/** The SQL dialect of an engine. */
export type SqlDialect = Omit<Dialect, 'createDriver'>

/** A connection that may send statements without waiting for their results. */
export interface SendingConnection extends DatabaseConnection {
  send?(query: CompiledQuery): Promise<void>
}

/** The queries of one connection, made once for it: making them takes longer than most of them run. */
export function queriesOf(connection: SendingConnection, engine: Engine, spelling: SqlDialect): Transaction {
  const dialect = { ...spelling, createDriver: () => new OnlyConnection(connection) }
  return Object.assign(onEngine(new Kysely<Tables>({ dialect }), engine), {
    // A compiled query needs nothing of what Kysely does on the way to the connection, which takes longer than most of them run.
    executeQuery: <R>(query: CompiledQuery<R> | Compilable<R>) =>
      connection.executeQuery<R>('compile' in query ? query.compile() : query),
    send: (query: CompiledQuery): Promise<unknown> => connection.send?.(query) ?? connection.executeQuery(query),
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

const { query, queryId } = CompiledQuery.raw('')

/** SQL with its values, as a connection takes it. What Kysely's own has beside these nobody reads, and takes longer to make than many a statement to run. */
export const statementOf = <R>(sql: string, parameters: readonly unknown[]): CompiledQuery<R> => ({
  sql,
  parameters,
  query,
  queryId,
})
