import type { Database, Reading } from '../database.ts'
import { ask, fragment, named } from '../fragment.ts'
import { givenNumbers } from '../given-numbers.ts'
import { numberedTables } from '../table-fates.ts'
import { type Found, rebuild } from './finding.ts'

/** A table that counts on from below its highest number would give a number twice. */
export async function checkNumbers(rows: Reading, { engine }: Pick<Database, 'engine'>, found: Found): Promise<void> {
  const given = await givenNumbers(rows, engine)
  for (const [table, { key }] of numberedTables) {
    const [row] = await ask<{ highest: number | null }>(
      rows,
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
