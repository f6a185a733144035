import type { RecordTypeName } from '../../src/farm/farm.ts'
import type { Tables } from '../../src/storage/sql/tables.ts'
import type { FarmUnderTest } from '../harness/farm.ts'

const tables = [
  'log',
  'asset',
  'term',
  'term_claim',
  'reference',
  'facet',
  'stay',
  'inventory_change',
  'file',
  'blob',
  'blob_chunk',
  'journal',
] as const satisfies readonly (keyof Tables)[]

/** How many rows every table has that a write of a record can touch. */
export const rowCounts = (farm: FarmUnderTest): Promise<Readonly<Record<string, number>>> =>
  farm.installation.database.read(async (snapshot) => {
    const counts: Record<string, number> = {}
    for (const table of tables) {
      const { count } = await snapshot
        .selectFrom(table as 'log')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      counts[table] = Number(count)
    }
    return counts
  })

export const lastOfJournal = async (farm: FarmUnderTest): Promise<number> =>
  farm.installation.database.read(async (snapshot) => {
    const last = await snapshot
      .selectFrom('journal')
      .select('sequence')
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last?.sequence ?? 0
  })

export const journalOf = (farm: FarmUnderTest) =>
  farm.installation.database.read((snapshot) =>
    snapshot.selectFrom('journal').selectAll().orderBy('sequence').execute(),
  )

export const revisionOf = (farm: FarmUnderTest, type: RecordTypeName, id: string): Promise<number> =>
  farm.installation.database.read(async (snapshot) => {
    const { revision } = await snapshot
      .selectFrom(type as 'log')
      .select('revision')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    return revision
  })
