import type { Database, Snapshot } from '../database.ts'
import { existingTables } from '../sql/existing-tables.ts'
import { ask, fragment, word } from '../sql/fragment.ts'

interface Sign {
  readonly table: string
  readonly rows: string
}

/** Rows that only somebody who records something leaves. The first terms, which every farm is born with, are no such sign. */
export const signsOfRecords: readonly Sign[] = [
  ...['log', 'asset', 'file'].map((table) => ({ table, rows: table })),
  { table: 'term', rows: 'term where uid <> 0 or revision > 1' },
]

/** Rows that only somebody who works here leaves. */
export const signsOfLife: readonly Sign[] = [
  ...['account', 'client'].map((table) => ({ table, rows: table })),
  ...signsOfRecords,
]

/** Whether there is none of these signs. */
export async function isWithout(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  signs: readonly Sign[],
): Promise<boolean> {
  const there = await existingTables(snapshot, engine)
  for (const sign of signs.filter(({ table }) => there.has(table))) {
    const found = await ask(snapshot, fragment`select 1 from ${word(sign.rows)} limit 1`)
    if (found.length > 0) return false
  }
  return true
}
