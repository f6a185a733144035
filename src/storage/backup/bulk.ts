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
  if (all.length === 0) return
  const columns = Object.keys(all[0] ?? {})
  const full = statement({ engine, table, columns, count: rowsInAStatement })
  for (let start = 0; start < all.length; start += rowsInAStatement) {
    const some = all.slice(start, start + rowsInAStatement)
    const values: unknown[] = []
    for (const row of some) for (const column of columns) values.push(row[column])
    const text = some.length === rowsInAStatement ? full : statement({ engine, table, columns, count: some.length })
    await rows.executeQuery(CompiledQuery.raw(text, values))
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
