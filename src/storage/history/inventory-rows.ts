import type { Snapshot, Transaction } from '../database.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange } from '../sql/prepared.ts'
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

const changesUntil = prepared(
  (snapshot, { assets, now }: { readonly assets: readonly number[]; readonly now: number }) =>
    snapshot
      .selectFrom('inventory_change')
      .select(['asset_id', 'value'])
      .where('asset_id', 'in', assets)
      .where('timestamp', '<=', now),
)
