import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'

/** How many assets of each type are not archived, and how many areas there are. */
export async function countRecords(
  snapshot: Snapshot,
): Promise<{ readonly assets: ReadonlyMap<string, number>; readonly areas: number }> {
  const counts = await counted(snapshot)
  const assets = counts.filter(({ record_table }) => record_table === 'asset')
  const areas = counts.find(({ record_table, bundle }) => record_table === 'term' && bundle === 'farm_areas')
  return { assets: new Map(assets.map((row) => [row.bundle, Number(row.count)])), areas: Number(areas?.count ?? 0) }
}

/** The vocabularies that have terms. */
export async function usedVocabularies(snapshot: Snapshot): Promise<ReadonlySet<string>> {
  const terms = (await counted(snapshot)).filter(
    ({ record_table, count }) => record_table === 'term' && Number(count) > 0,
  )
  return new Set(terms.map(({ bundle }) => bundle))
}

const counted = prepared((snapshot) =>
  snapshot
    .selectFrom('tally')
    .select((select) => ['record_table', 'bundle', select.fn.sum<number>('count').as('count')])
    .where((where) => where.or([where('status', '=', 'kept'), where('record_table', '=', 'term')]))
    .groupBy(['record_table', 'bundle']),
)
