import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { perType } from '../records/record-rows.ts'
import { prepared } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'

/** What a record is now, or that it is gone. */
export interface RecordNow {
  /** Null where not even that is known of a record that was removed long ago. */
  readonly uuid: string | null
  /** Of one that is gone its removal's. */
  readonly revision: number
  readonly isThere: boolean
  /** About how many characters its fields take. */
  readonly size: number
}

interface Ids {
  readonly ids: readonly number[]
}

export async function recordsNow(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordNow>> {
  const there = await inSlices(ids, (slice) => recordsThere[type](snapshot, { ids: slice }))
  const known = new Map<number, RecordNow>(there.map(({ id, ...record }) => [id, { ...record, isThere: true }]))
  const gone = ids.filter((id) => !known.has(id))
  for (const [id, record] of await recordsGone(snapshot, type, gone)) known.set(id, record)
  return known
}

const recordsThere = perType((type) =>
  prepared((snapshot, { ids }: Ids) =>
    snapshot
      .selectFrom(type as 'log')
      .select(['id', 'uuid', 'revision', (is) => is.fn<number>('length', ['fields']).as('size')])
      .where('id', 'in', ids),
  ),
)

async function recordsGone(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<readonly (readonly [number, RecordNow])[]> {
  const named = await inSlices(ids, (slice) => removedIdentities[type](snapshot, { ids: slice }))
  const uuids = new Map(named.map(({ number, uuid }) => [number, uuid]))
  const last = await inSlices(ids, (slice) => lastRevisions[type](snapshot, { ids: slice }))
  return last.map(({ id, revision }) => [id, { uuid: uuids.get(id) ?? null, revision, isThere: false, size: 0 }])
}

const removedIdentities = perType((type) =>
  prepared((snapshot, { ids }: Ids) =>
    snapshot
      .selectFrom('identity')
      .select(['number', 'uuid'])
      .where('type', '=', type)
      .where('number', 'in', ids)
      .where('removed', 'is not', null),
  ),
)

const lastRevisions = perType((type) =>
  prepared((snapshot, { ids }: Ids) =>
    snapshot
      .selectFrom('journal')
      .select((is) => ['record_id as id', is.fn.max('revision').as('revision')])
      .where('record_type', '=', type)
      .where('record_id', 'in', ids)
      .groupBy('record_id'),
  ),
)
