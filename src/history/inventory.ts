import { sumDecimals } from '../fields/exact-decimal.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { type CountedChange, type InventoryUnit, inventoryChanges } from '../storage/history/inventory-rows.ts'
import type { ByThing, PlacedThings } from '../storage/history/stay-rows.ts'
import { eachType, plainCount } from './implications.ts'

/** An exact amount in one measure and unit. */
interface Level extends InventoryUnit {
  readonly value: string
}

/** Inventory of these assets at that time, without units; assets that were never counted are missing. */
export async function inventoryLevels(
  snapshot: Snapshot,
  assets: readonly number[],
  time: PointInTime,
): Promise<ReadonlyMap<number, string>> {
  const asked = { now: time.second, counted: plainCount }
  const levels = levelsFrom(await inventoryChanges(snapshot, { type: 'asset', ids: assets }, asked))
  return new Map([...levels].flatMap(([asset, [level]]) => (level === undefined ? [] : [[asset, level.value]])))
}

/** Inventory of these things at that time, by measure and unit; things that were never counted are missing. */
export const inventoriesOf = (
  snapshot: Snapshot,
  things: readonly PlacedThings[],
  time: PointInTime,
): Promise<ByThing<readonly Level[]>> =>
  eachType(things, async (some) => levelsFrom(await inventoryChanges(snapshot, some, { now: time.second })))

/** Sums changes in order, per thing, measure and unit, from the latest reset on. */
function levelsFrom(changes: readonly CountedChange[]): ReadonlyMap<number, readonly Level[]> {
  const levels = new Map<number, Level[]>()
  let last: CountedChange | undefined
  let values: string[] = []
  const note = () => {
    if (last === undefined) return
    const level = { measure: last.measure, unit: last.unit_id, value: sumDecimals(values) }
    levels.set(last.thing_id, [...(levels.get(last.thing_id) ?? []), level])
  }
  for (const change of changes) {
    if (last !== undefined && !isOfTheSame(last, change)) {
      note()
      values = []
    }
    if (change.is_reset === 1) values = []
    values.push(change.value)
    last = change
  }
  note()
  return levels
}

const isOfTheSame = (one: CountedChange, other: CountedChange): boolean =>
  one.thing_id === other.thing_id && one.measure === other.measure && one.unit_id === other.unit_id
