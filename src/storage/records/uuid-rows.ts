import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'
import { perType } from './record-rows.ts'

/** What a record is known by, beside its number. */
export interface KnownBy {
  readonly uuid: string
  readonly bundle: string
}

/** Of these records; those that do not exist are missing. */
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

export interface KnownTerm extends KnownBy {
  /** The JSON of what has no column of its own. */
  readonly fields: string
}

/** Of terms also what they say, because an area says there what it is. */
export async function knownTerms(snapshot: Snapshot, ids: readonly number[]): Promise<ReadonlyMap<number, KnownTerm>> {
  const found = await inSlices(ids, (slice) => termsIn(snapshot, { ids: slice }))
  return new Map(found.map((row) => [row.id, row]))
}

const termsIn = prepared((snapshot, { ids }: { readonly ids: readonly number[] }) =>
  snapshot.selectFrom('term').select(['id', 'uuid', 'bundle', 'fields']).where('id', 'in', ids),
)

/** Who made the last entry in the journal of each of these records. */
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
