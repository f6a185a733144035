import type { Insertable, Selectable } from 'kysely'
import type { Engine, Transaction } from '../database.ts'
import { copyIn, type RowValues } from '../postgres/copy.ts'
import { ask, fragment, must, word } from './fragment.ts'
import { statementOf } from './prepared.ts'
import type { FacetRow, IdentityRow, JournalRow, QuantityRow, ReferenceRow, Tables } from './tables.ts'

type Row<T extends keyof Tables> = Readonly<Insertable<Tables[T]>>

/** Rows per statement: each number is a prepared statement, so there are few. */
function rowsOfNext(left: number): number {
  if (left >= mostRows) return mostRows
  return left >= 32 ? 32 : Math.min(left, 16)
}

const mostRows = 100

/** Inserts rows of one shape. */
export async function insertAll<T extends keyof Tables>(
  tx: Transaction,
  table: T,
  all: readonly Row<T>[],
): Promise<void> {
  const columns = columnsOf(all)
  await insertValues(tx, { table, columns, values: valuesOf(all, columns) })
}

/** The same where the rows come one after the other, and may be more than fit the memory. */
export async function insertSheaf(tx: Transaction, { table, columns, values }: RowValues): Promise<void> {
  let some: unknown[] = []
  for (const value of values) {
    if (some.push(value) < mostRows * columns.length) continue
    await insertValues(tx, { table, columns, values: some })
    some = []
  }
  await insertValues(tx, { table, columns, values: some })
}

async function insertValues(
  tx: Transaction,
  { table, columns, values }: RowValues & { readonly values: readonly unknown[] },
): Promise<void> {
  for (let start = 0; start < values.length; ) {
    const count = rowsOfNext((values.length - start) / columns.length)
    const statement = insertStatement({ engine: tx.engine, table, columns, count })
    const end = start + count * columns.length
    await tx.send(statementOf(statement, values.slice(start, end)))
    start = end
  }
}

type ColumnTypes = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Inserts rows of several tables by one statement of PostgreSQL, which is given each column of each table as a list. */
export async function insertColumns<T extends ColumnTypes>(
  tx: Transaction,
  types: T,
  rows: { readonly [table in keyof T]: readonly object[] },
): Promise<void> {
  const values = Object.entries(types).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => rows[table]?.map((row) => (row as Readonly<Record<string, unknown>>)[column])),
  )
  await tx.send(statementOf(statementOfColumns(types), values))
}

const statementsOfColumns = new WeakMap<ColumnTypes, string>()

function statementOfColumns(types: ColumnTypes): string {
  const known = statementsOfColumns.get(types)
  if (known !== undefined) return known
  let place = 0
  const inserts = Object.entries(types).map(([table, columns]) => {
    const names = Object.keys(columns).map((column) => `"${column}"`)
    const lists = Object.values(columns).map((type) => `$${++place}::${type}[]`)
    return `insert into "${table}" (${names.join()}) select * from unnest(${lists.join()})`
  })
  const last = inserts.pop() ?? ''
  const text = `with ${inserts.map((insert, nth) => `part${nth} as (${insert})`).join()} ${last}`
  statementsOfColumns.set(types, text)
  return text
}

interface NumberedRows<R> {
  readonly rows: readonly R[]
  /** Ids to draw for quantities on the way. */
  readonly quantities: number
}

interface Numbers {
  readonly ids: readonly number[]
  readonly numbers: readonly number[]
}

/** Inserts rows of one shape, and gives the ids that the database gave them. */
export async function insertNumbered<T extends 'log' | 'asset' | 'term' | 'quantity'>(
  tx: Transaction,
  table: T,
  { rows, quantities }: NumberedRows<Row<T> & { readonly uuid: string }>,
): Promise<Numbers> {
  const columns = columnsOf(rows)
  const numbers = tx.engine === 'sqlite' ? [...(await drawQuantityNumbers(tx, quantities))] : []
  const ids: number[] = []
  while (ids.length < rows.length) {
    const some = rows.slice(ids.length, ids.length + rowsOfNext(rows.length - ids.length))
    const statement = insertStatement({ engine: tx.engine, table, columns, count: some.length })
    const insertion = { statement, values: valuesOf(some, columns), some }
    if (tx.engine === 'sqlite') ids.push(...(await idsUpToLast(tx, insertion)))
    else {
      const given = await idsByUuid(tx, insertion, quantities - numbers.length)
      ids.push(...given.ids)
      numbers.push(...given.numbers)
    }
  }
  return { ids, numbers }
}

interface Insertion {
  readonly statement: string
  readonly values: unknown[]
  readonly some: readonly { readonly uuid: string }[]
}

/**
 * SQLite numbers the rows of a statement one after the other, and tells the last number anyway; asked to return them, it
 * would build a table for them.
 */
async function idsUpToLast(tx: Transaction, { statement, values, some }: Insertion): Promise<readonly number[]> {
  const { insertId } = await tx.executeQuery(statementOf(statement, values))
  return some.map((_, index) => Number(insertId) - some.length + 1 + index)
}

/** PostgreSQL returns the rows of a statement in no promised order. Numbers are drawn by the same statement: it is a journey away. */
async function idsByUuid(tx: Transaction, { statement, values, some }: Insertion, drawn: number): Promise<Numbers> {
  const returning = `${statement} returning "id", "uuid"`
  const asked =
    drawn === 0
      ? statementOf(returning, values)
      : statementOf(
          `with inserted as (${returning}) table inserted union all
             select ${nextQuantity}, null from generate_series(1, $${values.length + 1}::int)`,
          [...values, drawn],
        )
  const { rows } = await tx.executeQuery<{ id: number; uuid: string | null }>(asked)
  const numbered = new Map(rows.map(({ id, uuid }) => [uuid, id]))
  return {
    ids: some.map(({ uuid }) => must(numbered.get(uuid))),
    numbers: rows.flatMap(({ id, uuid }) => (uuid === null ? [id] : [])),
  }
}

const columnsOf = <R extends object>(all: readonly R[]) => Object.keys(all[0] ?? {}) as (keyof R & string)[]

function valuesOf<R extends object>(all: readonly R[], columns: readonly (keyof R)[]): unknown[] {
  const values: unknown[] = []
  for (const row of all) for (const column of columns) values.push(row[column])
  return values
}

interface Shape {
  readonly engine: Engine
  readonly table: string
  readonly columns: readonly string[]
  readonly count: number
}

const statements = new Map<string, string>()

/**
 * The prepared query (prepared.ts) for any number of rows, again made once for each shape: putting it together as text takes a
 * fraction of what building it takes, and no value has to be looked up by name.
 */
function insertStatement(shape: Shape): string {
  const key = [shape.engine, shape.table, shape.count, ...shape.columns].join()
  const known = statements.get(key)
  if (known !== undefined) return known
  const { engine, table, columns, count } = shape
  let place = 0
  const mark = () => (engine === 'sqlite' ? '?' : `$${++place}`)
  const tuple = () => `(${columns.map(mark).join()})`
  const names = columns.map((column) => `"${column}"`).join()
  // Work that fails is undone as a whole, so SQLite need not be ready to undo each statement by itself.
  const insert = engine === 'sqlite' ? 'insert or fail into' : 'insert into'
  const text = `${insert} "${table}" (${names}) values ${Array.from({ length: count }, tuple).join()}`
  statements.set(key, text)
  return text
}

/** The next number of a quantity, as PostgreSQL is asked for it. */
const nextQuantity = `nextval(pg_get_serial_sequence('quantity', 'id'))`

/** Numbers for quantities that are about to be kept; nobody else is given them. */
export async function drawQuantityNumbers(tx: Transaction, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  if (tx.engine === 'sqlite') return numbersUpTo(await lastRaisedBy(tx, count), count)
  const drawn = await ask<{ number: number }>(
    tx,
    fragment`select ${word(nextQuantity)} as number from generate_series(1, ${count}::int)`,
  )
  return drawn.map(({ number }) => number)
}

async function lastRaisedBy(tx: Transaction, count: number): Promise<number> {
  const [raised] = await ask<{ seq: number }>(
    tx,
    fragment`update sqlite_sequence set seq = seq + ${count} where name = 'quantity' returning seq`,
  )
  if (raised !== undefined) return raised.seq
  await ask(tx, fragment`insert into sqlite_sequence (name, seq) values ('quantity', ${count})`)
  return count
}

const numbersUpTo = (last: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => last - count + 1 + index)

/** Derived rows of new records. */
interface FollowingRows {
  readonly identity: readonly Pick<IdentityRow, 'uuid' | 'type' | 'number' | 'uid' | 'draft'>[]
  /** Quantities of new logs, with the ids drawn for them. */
  readonly quantity: readonly Readonly<Selectable<QuantityRow>>[]
  readonly reference: readonly ReferenceRow[]
  readonly facet: readonly FacetRow[]
  readonly journal: readonly Omit<JournalRow, 'sequence'>[]
}

/** The columns that are given; PostgreSQL takes each as a list of this type. */
const columns = {
  identity: { uuid: 'text', type: 'text', number: 'bigint', uid: 'bigint', draft: 'text' },
  reference: { source_id: 'bigint', path: 'bigint', target_id: 'bigint' },
  facet: { record_id: 'bigint', path: 'bigint', key: 'text', nth: 'bigint', whole_key: 'text' },
  journal: {
    at: 'bigint',
    uid: 'bigint',
    record_type: 'text',
    record_id: 'bigint',
    verb: 'text',
    after: 'text',
    revision: 'bigint',
    set_id: 'text',
    mark: 'bigint',
  },
} as const

const columnsWithQuantities = {
  ...columns,
  quantity: {
    id: 'bigint',
    uuid: 'text',
    bundle: 'text',
    name: 'text',
    name_key: 'text',
    uid: 'bigint',
    created: 'bigint',
    changed: 'bigint',
    revision: 'bigint',
    fields: 'text',
    log_id: 'bigint',
    field: 'text',
    position: 'bigint',
    measure: 'text',
    label_key: 'text',
    value_key: 'text',
    adjustment: 'text',
    unit_id: 'bigint',
  },
} as const

/**
 * Enters all of it. Where the database is a journey away that is one journey, by one statement of one shape whatever the number of
 * rows; where it is not, each table has its own.
 */
export async function insertTogether(tx: Transaction, rows: FollowingRows): Promise<void> {
  if (tx.engine === 'postgres')
    return rows.quantity.length === 0
      ? insertColumns(tx, columns, rows)
      : insertColumns(tx, columnsWithQuantities, rows)
  await insertAll(tx, 'identity', rows.identity)
  await insertAll(tx, 'quantity', rows.quantity)
  await insertAll(tx, 'reference', rows.reference)
  await insertAll(tx, 'facet', rows.facet)
  await insertAll(tx, 'journal', rows.journal)
}

/** Brings many rows in, by the way that costs the engine the least. */
export async function insertInBulk(tx: Transaction, sheaf: RowValues): Promise<void> {
  if (tx.engine === 'sqlite') await insertSheaf(tx, sheaf)
  else await copyIn(tx, sheaf)
}
