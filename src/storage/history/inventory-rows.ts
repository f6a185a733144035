import type { Snapshot, Transaction } from '../database.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'
import type { InventoryChangeRow } from '../sql/tables.ts'

export interface InventoryChange {
  readonly asset: number
  readonly timestamp: number
  readonly log: number
  readonly position: number
  readonly value: string
}

export const rowOfChange = ({ asset, timestamp, log, position, value }: InventoryChange): InventoryChangeRow => ({
  asset_id: asset,
  timestamp,
  log_id: log,
  position,
  value,
})

export async function addInventoryChanges(tx: Transaction, changes: readonly InventoryChange[]): Promise<void> {
  await insertAll(tx, 'inventory_change', changes.map(rowOfChange))
}

export async function removeInventoryChanges(tx: Transaction, log: number): Promise<void> {
  await deleteChanges(tx, { log })
}

const deleteChanges = preparedChange((tx, { log }: { readonly log: number }) =>
  tx.deleteFrom('inventory_change').where('log_id', '=', log),
)

/** Every change of these assets' inventory up to that time. */
export async function inventoryChanges(
  snapshot: Snapshot,
  { assets, now }: { readonly assets: readonly number[]; readonly now: number },
): Promise<readonly { readonly asset: number; readonly value: string }[]> {
  const found = await inSlices(assets, (slice) => changesUntil(snapshot, { assets: slice, now }))
  return found.map((row) => ({ asset: row.asset_id, value: row.value }))
}

interface ChangesOf {
  readonly asset: number
  readonly now: number
  /** How many of the logs are wanted, the latest first. */
  readonly most: number
}

/** The latest logs that changed the inventory of an asset up to that time, and how many did in all. */
export async function logsOfInventory(
  snapshot: Snapshot,
  { asset, now, most }: ChangesOf,
): Promise<{ readonly latest: readonly number[]; readonly count: number }> {
  const latest = await latestChanges(snapshot, { asset, now, most })
  if (latest.length < most) return { latest: latest.map((row) => row.log_id), count: latest.length }
  const counted = await countChanges(snapshot, { asset, now })
  return { latest: latest.map((row) => row.log_id), count: Number(counted?.count ?? 0) }
}

const latestChanges = prepared((snapshot, { asset, now, most }: { readonly [K in keyof ChangesOf]: number }) =>
  snapshot
    .selectFrom('inventory_change')
    .select(['timestamp', 'log_id'])
    .distinct()
    .where('asset_id', '=', asset)
    .where('timestamp', '<=', now)
    .orderBy('timestamp', 'desc')
    .orderBy('log_id', 'desc')
    .limit(most),
)

const countChanges = preparedFirst((snapshot, { asset, now }: { readonly asset: number; readonly now: number }) =>
  snapshot
    .selectFrom('inventory_change')
    .select(({ fn }) => fn.count('log_id').distinct().as('count'))
    .where('asset_id', '=', asset)
    .where('timestamp', '<=', now),
)

const changesUntil = prepared(
  (snapshot, { assets, now }: { readonly assets: readonly number[]; readonly now: number }) =>
    snapshot
      .selectFrom('inventory_change')
      .select(['asset_id', 'value'])
      .where('asset_id', 'in', assets)
      .where('timestamp', '<=', now),
)
