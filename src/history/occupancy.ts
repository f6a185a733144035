import type { Reading } from '../storage/database.ts'
import { occupants } from '../storage/history/stay-rows.ts'

type Occupancy = Promise<ReadonlyMap<number, readonly number[]>>

/** The assets in each of these areas at that time: the exact inverse of their location, without archived ones. */
export const assetsInAreas = (rows: Reading, areas: readonly number[], now: number): Occupancy =>
  occupants(rows, 'movement', { places: areas, now })

/** The members of each of these groups at that time, without archived ones. */
export const membersOfGroups = (rows: Reading, groups: readonly number[], now: number): Occupancy =>
  occupants(rows, 'membership', { places: groups, now })
