import { sql } from 'kysely'
import type { Database, Reading } from '../database.ts'
import { givenNumbers } from '../given-numbers.ts'
import { askInSql } from '../sql-question.ts'
import { numberedTables } from '../table-fates.ts'
import { type Found, rebuild } from './finding.ts'

/** A table that counts on from below its highest number would give a number twice. */
export async function checkNumbers(rows: Reading, { engine }: Pick<Database, 'engine'>, found: Found): Promise<void> {
  const given = await givenNumbers(rows, engine)
  for (const [table, { key }] of numberedTables) {
    const [row] = await askInSql(
      rows,
      sql<{ highest: number | null }>`select max(${sql.ref(key)}) as highest from ${sql.ref(table)}`,
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
