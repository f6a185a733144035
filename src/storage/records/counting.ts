import type { PresentBundles } from '../../farm/older-farm.ts'
import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'

export interface RecordCounts {
  /** How many assets of each type are not archived. */
  readonly assets: ReadonlyMap<string, number>
  readonly areas: number
  readonly present: PresentBundles
}

export async function countRecords(snapshot: Snapshot): Promise<RecordCounts> {
  const counts = await counted(snapshot)
  const assets = counts.filter(({ record_table, status }) => record_table === 'asset' && status === 'kept')
  const areas = counts.find(({ record_table, bundle }) => record_table === 'term' && bundle === 'farm_areas')
  return {
    assets: new Map(assets.map((row) => [row.bundle, Number(row.count)])),
    areas: Number(areas?.count ?? 0),
    present: new Set(counts.filter(({ count }) => Number(count) > 0).map((row) => `${row.record_table} ${row.bundle}`)),
  }
}

/** The bundles that there are records of. */
export const presentBundles = async (snapshot: Snapshot): Promise<PresentBundles> =>
  (await countRecords(snapshot)).present

const counted = prepared((snapshot) =>
  snapshot
    .selectFrom('tally')
    .select((select) => ['record_table', 'bundle', 'status', select.fn.sum<number>('count').as('count')])
    .groupBy(['record_table', 'bundle', 'status']),
)
