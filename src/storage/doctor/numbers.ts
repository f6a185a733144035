import type { Database, Snapshot } from '../database.ts'
import { ask, fragment, named } from '../sql/fragment.ts'
import { givenNumbers } from '../sql/given-numbers.ts'
import { numberedTables } from '../sql/table-fates.ts'
import { type Found, rebuild } from './finding.ts'

/** A table that counts on from below its highest number would give a number twice. */
export async function checkNumbers(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  found: Found,
): Promise<void> {
  const given = await givenNumbers(snapshot, engine)
  for (const [table, { key }] of numberedTables) {
    const [row] = await ask<{ highest: number | null }>(
      snapshot,
      fragment`select max(${named(key)}) as highest from ${named(table)}`,
    )
    const highest = row?.highest ?? 0
    if (highest <= (given[table] ?? 0)) continue
    found({
      what: `The table ${table} has number ${highest}, but counts on from ${given[table] ?? 0}`,
      mend: rebuild,
      alike: 'tables that count on from below',
    })
  }
}
