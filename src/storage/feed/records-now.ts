import type { RecordTypeName } from '../../farm/farm.ts'
import type { Engine, Snapshot } from '../database.ts'
import { perType } from '../records/record-rows.ts'
import { ask, type Fragment, fragment, inSlices, named } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'

/** The current record, or its absence. */
export interface RecordNow {
  /** Null where not even that is known of a record that was removed long ago. */
  readonly uuid: string | null
  /** For a removed record, the revision of its removal. */
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
  const known = new Map<number, RecordNow>()
  for (const [id, uuid, revision, size] of await recordsThere(snapshot, type, ids))
    known.set(id, { uuid, revision, isThere: true, size })
  const gone = ids.filter((id) => !known.has(id))
  for (const [id, record] of await recordsGone(snapshot, type, gone)) known.set(id, record)
  return known
}

type Row = readonly [id: number, uuid: string, revision: number, size: number]

/** As one text: a thousand rows, column by column, take the drivers several times as long. */
async function recordsThere(snapshot: Snapshot, type: RecordTypeName, ids: readonly number[]): Promise<readonly Row[]> {
  const [found] = await ask<{ readonly records: string | null }>(snapshot, rowsInSql[snapshot.engine](named(type), ids))
  return JSON.parse(found?.records ?? '[]')
}

const rowsInSql: Readonly<Record<Engine, (table: Fragment, ids: readonly number[]) => Fragment>> = {
  sqlite: (table, ids) =>
    fragment`select json_group_array(json_array(id, uuid, revision, length(fields))) as records from ${table}
      where id in (select value from json_each(${JSON.stringify(ids)}))`,
  postgres: (table, ids) =>
    fragment`select json_agg(json_build_array(id, uuid, revision, length(fields)))::text as records from ${table}
      where id = any (${`{${ids.join()}}`}::bigint[])`,
}

async function recordsGone(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<readonly (readonly [number, RecordNow])[]> {
  const identities = await inSlices(ids, (slice) => removedIdentities[type](snapshot, { ids: slice }))
  const uuids = new Map(identities.map(({ number, uuid }) => [number, uuid]))
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
