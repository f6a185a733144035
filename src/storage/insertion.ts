import { CompiledQuery, type Insertable } from 'kysely'
import type { Engine, Writing } from './database.ts'
import type { Tables } from './tables.ts'

type Row<T extends keyof Tables> = Readonly<Insertable<Tables[T]>>

const rowsInAStatement = 100

/** Inserts rows of one shape. Their statement is put together as text, which takes a fraction of what building it takes. */
export async function insertAll<T extends keyof Tables>(
  rows: Writing,
  table: T,
  all: readonly Row<T>[],
): Promise<void> {
  const columns = Object.keys(all[0] ?? {}) as (keyof Row<T> & string)[]
  for (let start = 0; start < all.length; start += rowsInAStatement) {
    const some = all.slice(start, start + rowsInAStatement)
    const statement = insertStatement({ engine: rows.engine, table, columns, count: some.length })
    const values = some.flatMap((row) => columns.map((column) => row[column]))
    await rows.executeQuery(CompiledQuery.raw(statement, values))
  }
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
  const inserted = await rows.executeQuery<{ id: number }>(CompiledQuery.raw(`${statement} returning "id"`, values))
  const id = inserted.rows[0]?.id
  if (id === undefined) throw new Error(`A row of ${table} was inserted without an id`)
  return id
}

interface Shape {
  readonly engine: Engine
  readonly table: string
  readonly columns: readonly string[]
  readonly count: number
}

const statements = new Map<string, string>()

/** A full hundred and a single row come often: the text of a shape is made once. */
function insertStatement(shape: Shape): string {
  const key = [shape.engine, shape.table, shape.count, ...shape.columns].join()
  const known = statements.get(key)
  if (known !== undefined) return known
  const { engine, table, columns, count } = shape
  let place = 0
  const mark = () => (engine === 'sqlite' ? '?' : `$${++place}`)
  const tuple = () => `(${columns.map(mark).join()})`
  const names = columns.map((column) => `"${column}"`).join()
  const text = `insert into "${table}" (${names}) values ${Array.from({ length: count }, tuple).join()}`
  statements.set(key, text)
  return text
}
