import type { InventoryChange } from '../storage/history/inventory-rows.ts'
import { nowhere, type Stay } from '../storage/history/stay-rows.ts'
import type { Stored } from '../storage/records/stored.ts'
import { adjustmentsOf, assetsOf, groupsOf, movementOf } from './log-parts.ts'

/** What a log changes in the histories of assets. */
export interface Implications {
  readonly stays: readonly Stay[]
  readonly inventoryChanges: readonly InventoryChange[]
}

/** Only what is done counts; whether its time has come is asked when it is read. */
export function implicationsOf(log: Stored): Implications {
  if (log.values.done !== true) return { stays: [], inventoryChanges: [] }
  const timestamp = Number(log.values.timestamp)
  const stays = (kind: Stay['kind'], places: readonly number[]): readonly Stay[] =>
    assetsOf(log).map((asset) => ({ kind, asset, timestamp, log: log.id, places: [...new Set(places)] }))
  const movement = movementOf(log)
  const groups = groupsOf(log)
  return {
    stays: [
      ...(movement === undefined ? [] : stays('movement', movement.areas.length > 0 ? movement.areas : [nowhere])),
      ...(groups.length === 0 ? [] : stays('membership', groups)),
    ],
    inventoryChanges: adjustmentsOf(log).map((adjustment, position) => ({
      ...adjustment,
      timestamp,
      log: log.id,
      position,
    })),
  }
}
