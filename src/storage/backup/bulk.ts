import { CompiledQuery } from 'kysely'
import type { Engine, Writing } from '../database.ts'

export type BulkRow = Readonly<Record<string, unknown>>

interface Bulk {
  readonly engine: Engine
  readonly table: string
  readonly rows: readonly BulkRow[]
}

const rowsInAStatement = 100

/** Inserts many rows of one shape. The statement's text is the same for every full hundred, so that it is prepared once. */
export async function insertMany(rows: Writing, { engine, table, rows: all }: Bulk): Promise<void> {
  const columns = Object.keys(all[0] ?? {})
  for (let start = 0; start < all.length; start += rowsInAStatement) {
    const some = all.slice(start, start + rowsInAStatement)
    const values = some.flatMap((row) => columns.map((column) => row[column]))
    await rows.executeQuery(CompiledQuery.raw(statement({ engine, table, columns, count: some.length }), values))
  }
}

interface Shape {
  readonly engine: Engine
  readonly table: string
  readonly columns: readonly string[]
  readonly count: number
}

function statement({ engine, table, columns, count }: Shape): string {
  let place = 0
  const mark = () => (engine === 'sqlite' ? '?' : `$${++place}`)
  const tuple = () => `(${columns.map(mark).join(',')})`
  const tuples = Array.from({ length: count }, tuple).join(',')
  return `insert into "${table}" (${columns.map((column) => `"${column}"`).join(',')}) values ${tuples}`
}
