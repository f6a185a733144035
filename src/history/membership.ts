import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { occupants } from '../storage/history/occupants.ts'
import { type ByThing, decidingLogs, type PlacedThings } from '../storage/history/stay-rows.ts'
import { fieldsByIds } from '../storage/records/record-rows.ts'
import { eachType, membershipOf } from './implications.ts'

/** The groups of these assets at that time; assets that never joined one are missing. */
export const currentGroups = (
  snapshot: Snapshot,
  assets: readonly number[],
  time: PointInTime,
): Promise<ReadonlyMap<number, readonly number[]>> => groupsOf(snapshot, { type: 'asset', ids: assets }, time)

/** Also for areas, which can be in groups in /api. */
export async function groupsOf(
  snapshot: Snapshot,
  things: PlacedThings,
  time: PointInTime,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const deciding = await decidingLogs(snapshot, things, { kind: 'membership', now: time.second })
  const logs = await fieldsByIds(snapshot, 'log', [...new Set(deciding.values())])
  return new Map([...deciding].map(([id, log]) => [id, membershipOf(logs.get(log) ?? {}) ?? []]))
}

type Occupancy = Promise<ReadonlyMap<number, readonly number[]>>

/** The assets in each of these areas at that time: the inverse of their location, without archived assets. */
export const assetsInAreas = (snapshot: Snapshot, areas: readonly number[], time: PointInTime): Occupancy =>
  occupants(snapshot, 'movement', { places: areas, time })

/** The members of each of these groups at that time, without archived ones. */
export const membersOfGroups = (snapshot: Snapshot, groups: readonly number[], time: PointInTime): Occupancy =>
  occupants(snapshot, 'membership', { places: groups, time })

/** The groups of these assets and areas at that time, by the rules of /api; those that never joined one are missing. */
export const newerGroups = (
  snapshot: Snapshot,
  things: readonly PlacedThings[],
  time: PointInTime,
): Promise<ByThing<readonly number[]>> => eachType(things, (some) => groupsOf(snapshot, some, time))
