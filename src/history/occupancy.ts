import type { Snapshot } from '../storage/database.ts'
import { occupants } from '../storage/history/occupants.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'

type Occupancy = Promise<ReadonlyMap<number, readonly number[]>>

/** The assets in each of these areas at that time: the exact inverse of their location, without archived ones. */
export const assetsInAreas = (snapshot: Snapshot, areas: readonly number[], time: PointInTime): Occupancy =>
  occupants(snapshot, 'movement', { places: areas, time })

/** The members of each of these groups at that time, without archived ones. */
export const membersOfGroups = (snapshot: Snapshot, groups: readonly number[], time: PointInTime): Occupancy =>
  occupants(snapshot, 'membership', { places: groups, time })
