import type { Snapshot, Transaction } from '../database.ts'
import { inSlices } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedFirst, preparedSending } from '../sql/prepared.ts'
import type { InventoryChangeRow, ThingType } from '../sql/tables.ts'
import type { PlacedThing, PlacedThings } from './stay-rows.ts'

/** Measure and unit, each counted by itself. */
export interface InventoryUnit {
  /** Empty if there is none. */
  readonly measure: string
  /** The number of a term; 0 where there is none. */
  readonly unit: number
}

export interface InventoryChange extends InventoryUnit {
  readonly thing: PlacedThing
  readonly timestamp: number
  readonly log: number
  /** Its place in the log. */
  readonly position: number
  readonly value: string
  /** Sets the level, or changes it. */
  readonly does: 'reset' | 'change'
}

export const rowOfChange = (change: InventoryChange): InventoryChangeRow => ({
  thing_type: change.thing.type,
  thing_id: change.thing.id,
  measure: change.measure,
  unit_id: change.unit,
  timestamp: change.timestamp,
  log_id: change.log,
  position: change.position,
  value: change.value,
  is_reset: Number(change.does === 'reset'),
})

export async function addInventoryChanges(tx: Transaction, changes: readonly InventoryChange[]): Promise<void> {
  await insertAll(tx, 'inventory_change', changes.map(rowOfChange))
}

export async function removeInventoryChanges(tx: Transaction, log: number): Promise<void> {
  await deleteChanges(tx, { log })
}

const deleteChanges = preparedSending((tx, { log }: { readonly log: number }) =>
  tx.deleteFrom('inventory_change').where('log_id', '=', log),
)

export type CountedChange = Pick<
  InventoryChangeRow,
  'thing_id' | 'measure' | 'unit_id' | 'value' | 'is_reset' | 'timestamp' | 'log_id'
>

interface InventoryQuery {
  readonly now: number
  /** Missing: every measure and unit. */
  readonly counted?: InventoryUnit
}

/** Every change of these things' inventory up to that time, of each thing and what is counted in order. */
export function inventoryChanges(
  snapshot: Snapshot,
  { type, ids }: PlacedThings,
  { now, counted }: InventoryQuery,
): Promise<readonly CountedChange[]> {
  return inSlices(ids, (slice) => changesUntil(snapshot, { type, ids: slice, now, ...counted }))
}

type ChangesUntil = {
  readonly type: ThingType
  readonly ids: readonly number[]
  readonly now: number
  readonly measure?: string
  readonly unit?: number
}

const changesUntil = prepared((snapshot, { type, ids, now, measure, unit }: ChangesUntil) => {
  const changes = snapshot
    .selectFrom('inventory_change')
    .select(['thing_id', 'measure', 'unit_id', 'value', 'is_reset', 'timestamp', 'log_id'])
    .where('thing_type', '=', type)
    .where('thing_id', 'in', ids)
    .where('timestamp', '<=', now)
    .orderBy('thing_id')
    .orderBy('measure')
    .orderBy('unit_id')
    .orderBy('timestamp')
    .orderBy('log_id')
    .orderBy('position')
  return measure === undefined || unit === undefined
    ? changes
    : changes.where('measure', '=', measure).where('unit_id', '=', unit)
})

interface ChangesOf extends InventoryUnit {
  readonly asset: number
  readonly now: number
  /** Maximum number of logs, latest first. */
  readonly most: number
}

/** The latest logs that changed the inventory of an asset up to that time, from the latest reset on, and how many did in all. */
export async function logsOfInventory(
  snapshot: Snapshot,
  { asset, now, most, measure, unit }: ChangesOf,
): Promise<{ readonly latest: readonly number[]; readonly count: number }> {
  const asked = { asset, now, measure, unit }
  const reset = await latestReset(snapshot, asked)
  const since = { time: reset?.timestamp ?? Number.MIN_SAFE_INTEGER, log: reset?.log_id ?? 0 }
  const latest = await latestChanges(snapshot, { ...asked, ...since, most })
  if (latest.length < most) return { latest: latest.map((row) => row.log_id), count: latest.length }
  const counted = await countChanges(snapshot, { ...asked, ...since })
  return { latest: latest.map((row) => row.log_id), count: Number(counted?.count ?? 0) }
}

type InventoryOf = Readonly<Record<'asset' | 'now' | 'unit', number>> & { readonly measure: string }
type ChangesSince = InventoryOf & Readonly<Record<'time' | 'log', number>>

const changesOf = (snapshot: Snapshot, { asset, now, measure, unit }: InventoryOf) =>
  snapshot
    .selectFrom('inventory_change')
    .where('thing_type', '=', 'asset')
    .where('thing_id', '=', asset)
    .where('measure', '=', measure)
    .where('unit_id', '=', unit)
    .where('timestamp', '<=', now)

const changesSince = (snapshot: Snapshot, since: ChangesSince) =>
  changesOf(snapshot, since).where((change) =>
    change.or([
      change('timestamp', '>', since.time),
      change.and([change('timestamp', '=', since.time), change('log_id', '>=', since.log)]),
    ]),
  )

const latestReset = preparedFirst((snapshot, of: InventoryOf) =>
  changesOf(snapshot, of)
    .select(['timestamp', 'log_id'])
    .where('is_reset', '=', 1)
    .orderBy('timestamp', 'desc')
    .orderBy('log_id', 'desc')
    .limit(1),
)

const latestChanges = prepared((snapshot, { most, ...since }: ChangesSince & { readonly most: number }) =>
  changesSince(snapshot, since)
    .select(['timestamp', 'log_id'])
    .distinct()
    .orderBy('timestamp', 'desc')
    .orderBy('log_id', 'desc')
    .limit(most),
)

const countChanges = preparedFirst((snapshot, since: ChangesSince) =>
  changesSince(snapshot, since).select(({ fn }) => fn.count('log_id').distinct().as('count')),
)
