import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'
import { indexedKey } from './index-rows.ts'
import { toValue } from './path.ts'
import { perType } from './record-rows.ts'

/** A record, as far as people tell it from others. */
export interface Called {
  readonly id: number
  readonly bundle: string
  readonly name: string
}

/** The record tables share these columns. */
const shared = (type: RecordTypeName) => type as 'log'

/** Of one name no more are looked at: nobody could be told of them all. */
const mostOfOneName = 20

/** The records of a type under each of these keys of names, oldest first; those that nothing is called by are missing. */
export async function recordsCalled(
  snapshot: Snapshot,
  type: RecordTypeName,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly Called[]>> {
  const found = new Map<string, Called[]>()
  const rows = await inSlices(keys, async (slice) => {
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
): Promise<ReadonlyMap<number, Called>> {
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
  const rows = await inSlices(keys, (slice) => valuesIn(snapshot, { path, keys: slice.map(indexedKey) }))
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
