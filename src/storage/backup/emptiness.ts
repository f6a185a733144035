import type { Snapshot } from '../database.ts'
import { existingTables } from '../sql/existing-tables.ts'
import { ask, fragment, word } from '../sql/fragment.ts'

/** Rows that only somebody who works here leaves. The first terms, which every farm is born with, are no such sign. */
export const signsOfLife = [
  ...['log', 'asset', 'account', 'client', 'file'].map((table) => ({ table, rows: table })),
  { table: 'term', rows: 'term where uid <> 0 or revision > 1' },
]

export async function isEmptyFarm(snapshot: Snapshot): Promise<boolean> {
  const there = await existingTables(snapshot, 'postgres')
  for (const sign of signsOfLife.filter(({ table }) => there.has(table))) {
    const found = await ask(snapshot, fragment`select 1 from ${word(sign.rows)} limit 1`)
    if (found.length > 0) return false
  }
  return true
}
