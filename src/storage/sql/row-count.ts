import type { Snapshot } from '../database.ts'
import { ask, fragment, named } from './fragment.ts'

export async function countOf(snapshot: Snapshot, table: string): Promise<number> {
  const [row] = await ask<{ count: number }>(snapshot, fragment`select count(*) as count from ${named(table)}`)
  return row?.count ?? 0
}
