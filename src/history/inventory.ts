import { sumDecimals } from '../fields/exact-decimal.ts'
import type { Reading } from '../storage/database.ts'
import { inventoryChanges } from '../storage/history/inventory-rows.ts'

/** The inventory level of these assets at that time, exactly; those that were never counted are missing. */
export async function inventoryLevels(
  rows: Reading,
  assets: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const levels = new Map<number, string>()
  for (const { asset, value } of await inventoryChanges(rows, { assets, now })) {
    levels.set(asset, sumDecimals([levels.get(asset) ?? '0', value]))
  }
  return levels
}
