import { areaBundle } from '../../farm/bundle-names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { PresentBundles } from '../../farm/older-farm.ts'
import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'
import { countOf } from '../sql/row-count.ts'
import { perType } from './record-rows.ts'
import { type StoredRecord, storedOf } from './stored.ts'

const recordsAtOnce = 1000

type ReadPage = <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>

/** All records of a type, page by page, each page read on its own. */
export async function* recordPages(read: ReadPage, type: RecordTypeName): AsyncGenerator<readonly StoredRecord[]> {
  for await (const page of rowPages(read, type)) yield page.map((row) => storedOf(type, row))
}

type RecordRow = Parameters<typeof storedOf>[1]

/** Their rows, as they are kept. */
export async function* rowPages(read: ReadPage, type: RecordTypeName): AsyncGenerator<readonly RecordRow[]> {
  for (let after = 0; ; ) {
    const page = await read((snapshot) => rowsAfter[type](snapshot, { after }))
    if (page.length > 0) yield page.map((row) => row as RecordRow)
    if (page.length < recordsAtOnce) return
    after = page.at(-1)?.id ?? 0
  }
}

const rowsAfter = perType((type) =>
  prepared((snapshot, { after }: { readonly after: number }) =>
    snapshot
      // The record tables share the columns that are named here, so one type stands for all.
      .selectFrom(type as 'log')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(recordsAtOnce),
  ),
)

export const countRecordsOf = (snapshot: Snapshot, type: RecordTypeName): Promise<number> => countOf(snapshot, type)

export interface RecordCounts {
  /** How many assets of each type are not archived. */
  readonly assets: ReadonlyMap<string, number>
  readonly areas: number
  readonly present: PresentBundles
}

export async function countRecords(snapshot: Snapshot): Promise<RecordCounts> {
  const counts = await counted(snapshot)
  const assets = counts.filter(({ record_table, status }) => record_table === 'asset' && status === 'kept')
  const areas = counts.find(({ record_table, bundle }) => record_table === 'term' && bundle === areaBundle)
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
