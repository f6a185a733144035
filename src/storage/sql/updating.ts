import type { Transaction } from '../database.ts'
import { ask, fragment, inSlices, joined, named, word } from './fragment.ts'
import type { Tables } from './tables.ts'

/** The columns that differ, and which row it is. */
type UpdatedRow = Readonly<Record<string, string | number | null>> & { readonly id: number }

/** Changes rows of one table of PostgreSQL: those that differ in the same columns by one statement. */
export async function updateRows(tx: Transaction, table: keyof Tables, rows: readonly UpdatedRow[]): Promise<void> {
  const alike = new Map<string, UpdatedRow[]>()
  for (const row of rows) {
    const shape = Object.entries(row).map(([column, value]) => `${column} ${typeof value}`)
    const same = alike.get(shape.join())
    if (same === undefined) alike.set(shape.join(), [row])
    else same.push(row)
  }
  for (const those of alike.values()) await inSlices(those, (slice) => updateAlike(tx, table, slice))
}

/** Rows that have the same columns, with values of the same kind in each. */
function updateAlike(tx: Transaction, table: keyof Tables, rows: readonly UpdatedRow[]): Promise<readonly unknown[]> {
  const [first = { id: 0 }] = rows
  const columns = Object.keys(first).filter((column) => column !== 'id')
  const typed = ['id', ...columns].map(
    (column) => fragment`${named(column)} ${word(typeof first[column] === 'number' ? 'bigint' : 'text')}`,
  )
  const set = columns.map((column) => fragment`${named(column)} = now.${named(column)}`)
  return ask(
    tx,
    fragment`update ${named(table)} as had set ${joined(set, ', ')}
      from json_to_recordset(${JSON.stringify(rows)}::json) as now (${joined(typed, ', ')}) where had.id = now.id`,
  )
}
