import type { areaFields } from '../farm/areas/areas.ts'
import type { Values } from '../fields/value.ts'
import type { ValuesOf } from '../fields/value-of.ts'
import { combineWkt } from '../fields/wkt/combination.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'
import { decidingLogs } from '../storage/history/stay-rows.ts'
import { fieldsByIds } from '../storage/records/record-rows.ts'
import { type Movement, movementOf } from './log-parts.ts'

export interface Whereabouts {
  readonly areas: readonly number[]
  readonly geometry: string
}

export const unknownWhereabouts: Whereabouts = { areas: [], geometry: '' }

/** Where these assets are at that time, for a whole page at once; those never moved are missing. */
export async function whereaboutsOf(
  snapshot: Snapshot,
  assets: readonly number[],
  time: PointInTime,
): Promise<ReadonlyMap<number, Whereabouts>> {
  const deciding = await decidingLogs(snapshot, 'movement', { assets, now: time.second })
  const logs = await fieldsByIds(snapshot, 'log', [...new Set(deciding.values())])
  const movements = new Map([...logs].flatMap(([id, log]) => pairedWithMovement(id, log)))
  const shapeless = [...movements.values()].filter((movement) => movement.geometry === '')
  const areas = await fieldsByIds(snapshot, 'term', [...new Set(shapeless.flatMap((movement) => movement.areas))])
  const shapeOfAreas = combiningOnce((area) => shapesOf(areas.get(area)))
  const after = new Map([...movements].map(([log, movement]) => [log, whereaboutsAfter(movement, shapeOfAreas)]))
  return new Map([...deciding].map(([asset, log]) => [asset, after.get(log) ?? unknownWhereabouts]))
}

function pairedWithMovement(id: number, log: Values): [number, Movement][] {
  const movement = movementOf(log)
  return movement === undefined ? [] : [[id, movement]]
}

/** Where a movement puts its assets, and in what shape: its own, else that of its areas together. */
function whereaboutsAfter(
  { areas, geometry }: Movement,
  shapeOfAreas: (areas: readonly number[]) => string,
): Whereabouts {
  return { areas, geometry: geometry === '' ? shapeOfAreas(areas) : geometry }
}

/** Many logs of a page often name the same areas: their shapes are put together once. */
function combiningOnce(shapesOfArea: (area: number) => readonly string[]): (areas: readonly number[]) => string {
  const combined = new Map<string, string>()
  return (areas) => {
    const key = areas.join()
    const shape = combined.get(key) ?? combineWkt(areas.flatMap(shapesOfArea))
    combined.set(key, shape)
    return shape
  }
}

// The values of an area are what the catalogue says.
const shapesOf = (area: Values | undefined): readonly string[] =>
  (area as ValuesOf<typeof areaFields> | undefined)?.geofield ?? []
