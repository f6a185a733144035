import type { Reading } from './database.ts'
import { ask, fragment, named } from './fragment.ts'

export async function countOf(rows: Reading, table: string): Promise<number> {
  const [row] = await ask<{ count: number }>(rows, fragment`select count(*) as count from ${named(table)}`)
  return row?.count ?? 0
}
