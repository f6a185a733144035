import { sumDecimals } from '../fields/exact-decimal.ts'
import type { Snapshot } from '../storage/database.ts'
import { inventoryChanges } from '../storage/history/inventory-rows.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'

/** The inventory level of these assets at that time, exactly; those that were never counted are missing. */
export async function inventoryLevels(
  snapshot: Snapshot,
  assets: readonly number[],
  time: PointInTime,
): Promise<ReadonlyMap<number, string>> {
  const changes = new Map<number, string[]>()
  for (const { asset, value } of await inventoryChanges(snapshot, { assets, now: time.second })) {
    const earlier = changes.get(asset)
    if (earlier === undefined) changes.set(asset, [value])
    else earlier.push(value)
  }
  return new Map([...changes].map(([asset, values]) => [asset, sumDecimals(values)]))
}
