import type { Snapshot } from '../../src/storage/database.ts'
import { existingTables } from '../../src/storage/sql/existing-tables.ts'
import { ask, fragment, named } from '../../src/storage/sql/fragment.ts'
import { tableNames } from '../../src/storage/sql/table-fates.ts'
import type { FarmUnderTest } from '../harness/farm.ts'

/** Every row of every table and every number that will be given next, as text: nothing is kept beside these. */
export const everythingKept = ({ installation: { database } }: Pick<FarmUnderTest, 'installation'>): Promise<Kept> =>
  database.read(async (snapshot) => {
    const there = await existingTables(snapshot, database.engine)
    const kept: Record<string, readonly string[]> = {}
    for (const table of tableNames) {
      // A server at work says now and then that it is.
      if (!there.has(table) || table === 'server') continue
      const rows = await ask<object>(snapshot, fragment`select * from ${named(table)}`)
      kept[table] = rows.map((row) => JSON.stringify(row)).toSorted()
    }
    return { ...kept, numbers: await nextNumbers(snapshot) }
  })

export type Kept = Readonly<Record<string, readonly string[]>>

async function nextNumbers(snapshot: Snapshot): Promise<readonly string[]> {
  const given =
    snapshot.engine === 'sqlite'
      ? fragment`select name, seq as given from sqlite_sequence order by name`
      : fragment`select sequencename as name, last_value as given from pg_sequences where schemaname = current_schema() order by 1`
  return (await ask<object>(snapshot, given)).map((row) => JSON.stringify(row))
}
