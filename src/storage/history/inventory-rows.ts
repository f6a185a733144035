import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared, preparedChange } from '../prepared.ts'
import { inSlices } from '../slices.ts'
import type { InventoryChangeRow } from '../tables.ts'

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

export async function addInventoryChanges(rows: Writing, changes: readonly InventoryChange[]): Promise<void> {
  await insertAll(rows, 'inventory_change', changes.map(rowOfChange))
}

export async function removeInventoryChanges(rows: Writing, log: number): Promise<void> {
  await deleteChanges(rows, { log })
}

const deleteChanges = preparedChange((rows, { log }: { readonly log: number }) =>
  rows.deleteFrom('inventory_change').where('log_id', '=', log),
)

/** Every change of these assets' inventory up to that time. */
export async function inventoryChanges(
  rows: Reading,
  { assets, now }: { readonly assets: readonly number[]; readonly now: number },
): Promise<readonly { readonly asset: number; readonly value: string }[]> {
  const found = await inSlices(assets, (slice) => changesUntil(rows, { assets: slice, now }))
  return found.map((row) => ({ asset: row.asset_id, value: row.value }))
}

const changesUntil = prepared((rows, { assets, now }: { readonly assets: readonly number[]; readonly now: number }) =>
  rows
    .selectFrom('inventory_change')
    .select(['asset_id', 'value'])
    .where('asset_id', 'in', assets)
    .where('timestamp', '<=', now),
)
