import { areaBundle } from '../../farm/bundle-names.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { PresentBundles } from '../../farm/fields-of.ts'
import type { Snapshot } from '../database.ts'
import { ask, countOf, fragment, inSlices, listed, paced, word } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import { indexedKey } from './index-rows.ts'
import { toValue } from './path.ts'
import { perType } from './record-rows.ts'
import { type StoredRecord, storedOf } from './stored.ts'

/** A record, as far as people tell it from others. */
export interface RecordLabel {
  readonly id: number
  readonly bundle: string
  readonly name: string
}

/** The record tables share these columns. */
const shared = (type: RecordTypeName) => type as 'log'

/** Maximum per name: a message could not list more. */
const mostOfOneName = 20

/** Cells of a sheet may hold a NUL. No record does, and PostgreSQL refuses to look for one. */
const isStorable = (key: string): boolean => !key.includes('\0')

/** The records of a type under each of these keys of names, oldest first; those that nothing is called by are missing. */
export async function recordsCalled(
  snapshot: Snapshot,
  type: RecordTypeName,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly RecordLabel[]>> {
  const found = new Map<string, RecordLabel[]>()
  const rows = await inSlices(keys.filter(isStorable), async (slice) => {
    const most = slice.length * mostOfOneName
    const those = await calledIn[type](snapshot, { keys: slice, most })
    if (those.length < most) return those
    const each = slice.map((key) => calledIn[type](snapshot, { keys: [key], most: mostOfOneName }))
    return (await Promise.all(each)).flat()
  })
  for (const { name_key, ...called } of rows) found.set(name_key, [...(found.get(name_key) ?? []), called])
  return found
}

interface Keys {
  readonly keys: readonly string[]
  readonly most: number
}

const calledIn = perType((type) =>
  prepared((snapshot, { keys, most }: Keys) =>
    snapshot
      .selectFrom(shared(type))
      .select(['id', 'bundle', 'name', 'name_key'])
      .where('name_key', 'in', keys)
      .orderBy('id')
      .limit(most),
  ),
)

/** The records with these ids that exist, by id. */
export async function recordsNumbered(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordLabel>> {
  const rows = await inSlices(ids, (slice) => numberedIn[type](snapshot, { ids: slice }))
  return new Map(rows.map((row) => [row.id, row]))
}

const numberedIn = perType((type) =>
  prepared((snapshot, { ids }: { readonly ids: readonly number[] }) =>
    snapshot.selectFrom(shared(type)).select(['id', 'bundle', 'name']).where('id', 'in', ids),
  ),
)

/** The ids of the records that have a value with one of these keys in a field, by key. */
export async function recordsWithValue(
  snapshot: Snapshot,
  { type, field }: { readonly type: RecordTypeName; readonly field: string },
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const path = toValue(type, field)
  const rows = await inSlices(keys.filter(isStorable), (slice) =>
    valuesIn(snapshot, { path, keys: slice.map(indexedKey) }),
  )
  const found = new Map<string, number[]>()
  for (const { record_id, key, whole_key } of rows)
    found.set(whole_key ?? key, [...(found.get(whole_key ?? key) ?? []), record_id])
  return found
}

const valuesIn = prepared((snapshot, { path, keys }: { readonly path: number; readonly keys: readonly string[] }) =>
  snapshot
    .selectFrom('facet')
    .select(['record_id', 'key', 'whole_key'])
    .where('path', '=', path)
    .where('key', 'in', keys)
    .orderBy('record_id'),
)

/** UUID and other identifiers of a record. */
interface KnownBy {
  readonly uuid: string
  readonly bundle: string
}

/** Missing records are left out. */
export async function knownBy(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, KnownBy>> {
  const found = await inSlices(ids, (slice) => uuidsIn[type](snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, row]))
}

const uuidsIn = perType((type) =>
  prepared((snapshot, { ids }: { readonly ids: readonly number[] }) =>
    snapshot
      // The record tables share these columns.
      .selectFrom(type as 'log')
      .select(['id', 'uuid', 'bundle'])
      .where('id', 'in', ids),
  ),
)

interface KnownTerm extends KnownBy {
  /** The JSON of what has no column of its own. */
  readonly fields: string
}

/** Also the values of terms, because those of an area decide its type. */
export async function knownTerms(snapshot: Snapshot, ids: readonly number[]): Promise<ReadonlyMap<number, KnownTerm>> {
  const found = await inSlices(ids, (slice) => termsIn(snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, row]))
}

const termsIn = prepared((snapshot, { ids }: { readonly ids: readonly number[] }) =>
  snapshot.selectFrom('term').select(['id', 'uuid', 'bundle', 'fields']).where('id', 'in', ids),
)

/** The author of the latest journal entry of each record. */
export async function lastRevisers(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(ids, (slice) => lastEntries(snapshot, { type, ids: slice }))
  return new Map(found.map((row) => [row.record_id, row.uid]))
}

const lastEntries = prepared(
  (snapshot, { type, ids }: { readonly type: RecordTypeName; readonly ids: readonly number[] }) =>
    snapshot
      .selectFrom('journal')
      .select(['record_id', 'uid'])
      .where('sequence', 'in', (last) =>
        last
          .selectFrom('journal')
          .select((entry) => entry.fn.max('sequence').as('sequence'))
          .where('record_type', '=', type)
          .where('record_id', 'in', ids)
          .groupBy('record_id'),
      ),
)

/** The name of a record, and its uniqueness within its type or vocabulary. */
interface RecordName {
  readonly name: string
  readonly isShared: boolean
}

/** The names of these records, by id; those that do not exist are missing. */
export async function recordNames(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordName>> {
  const table = word(type)
  const among = type === 'term' ? word('other.bundle = record.bundle and') : word('')
  const found = await inSlices(ids, (slice) =>
    ask<{ readonly id: number; readonly name: string; readonly shared: number }>(
      snapshot,
      fragment`select record.id as id, record.name as name, case when exists (select 1 from ${table} as other
        where ${among} other.name_key = record.name_key and other.id <> record.id) then 1 else 0 end as shared
        from ${table} as record where record.id in (${listed(slice)})`,
    ),
  )
  return new Map(found.map(({ id, name, shared }) => [id, { name, isShared: shared === 1 }]))
}

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
  /** Unarchived assets by type. */
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

/** How many records there are of each type. */
export async function countByType(snapshot: Snapshot): Promise<ReadonlyMap<string, number>> {
  const sums = new Map([
    ['log', 0],
    ['asset', 0],
    ['term', 0],
  ])
  for (const { record_table: table, count } of await counted(snapshot))
    sums.set(table, (sums.get(table) ?? 0) + Number(count))
  return sums
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

/** The numbers of all records of a bundle, in order. */
export const idsOfBundle = async (
  snapshot: Snapshot,
  type: RecordTypeName,
  bundle: string,
): Promise<readonly number[]> =>
  (
    await ask<{ readonly id: number }>(
      snapshot,
      fragment`select id from ${word(type)} where ${paced('id')}bundle = ${bundle} order by id`,
    )
  ).map(({ id }) => id)
