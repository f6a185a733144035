import { CompiledQuery, type Insertable } from 'kysely'
import type { Engine, Writing } from './database.ts'
import type { Tables } from './tables.ts'

type Row<T extends keyof Tables> = Readonly<Insertable<Tables[T]>>

/** Rows of one table: their values one row after the other, in the order of the columns. */
export interface Sheaf {
  readonly table: keyof Tables
  readonly columns: readonly string[]
  readonly values: Iterable<unknown>
}

const rowsInAStatement = 100

/** Inserts rows of one shape. */
export async function insertAll<T extends keyof Tables>(
  rows: Writing,
  table: T,
  all: readonly Row<T>[],
): Promise<void> {
  const columns = Object.keys(all[0] ?? {}) as (keyof Row<T> & string)[]
  const values: unknown[] = []
  for (const row of all) for (const column of columns) values.push(row[column])
  await insertSheaf(rows, { table, columns, values })
}

export async function insertSheaf(rows: Writing, { table, columns, values }: Sheaf): Promise<void> {
  const most = rowsInAStatement * columns.length
  let some: unknown[] = []
  const insert = () => {
    const statement = insertStatement({ engine: rows.engine, table, columns, count: some.length / columns.length })
    return rows.executeQuery(CompiledQuery.raw(statement, some))
  }
  for (const value of values) {
    if (some.push(value) < most) continue
    await insert()
    some = []
  }
  if (some.length > 0) await insert()
}

/** Inserts one row, and gives the id that the database gave it. */
export async function insertNumbered<T extends 'log' | 'asset' | 'term' | 'file'>(
  rows: Writing,
  table: T,
  row: Row<T>,
): Promise<number> {
  const columns = Object.keys(row) as (keyof Row<T> & string)[]
  const statement = insertStatement({ engine: rows.engine, table, columns, count: 1 })
  const values = columns.map((column) => row[column])
  // SQLite tells the number anyway; asked to return it, it would build a table for it.
  const asking = rows.engine === 'sqlite' ? statement : `${statement} returning "id"`
  const inserted = await rows.executeQuery<{ id: number }>(CompiledQuery.raw(asking, values))
  return inserted.rows[0]?.id ?? Number(inserted.insertId)
}

interface Shape {
  readonly engine: Engine
  readonly table: string
  readonly columns: readonly string[]
  readonly count: number
}

const statements = new Map<string, string>()

/** Putting a statement together as text takes a fraction of what building it takes, and is done once for each shape. */
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
