import type { areaFields } from '../farm/areas/areas.ts'
import type { Values } from '../fields/value.ts'
import type { ValuesOf } from '../fields/value-of.ts'
import { combineWkt } from '../fields/wkt/combination.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'
import { fieldsByIds } from '../storage/records/record-rows.ts'
import type { Movement } from './log-parts.ts'
import { movementsOf } from './movements.ts'

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
  const { asset: moved } = await movementsOf(snapshot, [{ type: 'asset', ids: assets }], { time, groups: 'ignored' })
  const movements = new Set(moved.values())
  const shapeless = [...movements].filter(({ geometry }) => geometry === '')
  const areas = await fieldsByIds(snapshot, 'term', [...new Set(shapeless.flatMap((movement) => movement.areas))])
  const shapeOfAreas = combiningOnce((area) => shapesOf(areas.get(area)))
  const after = new Map([...movements].map((movement) => [movement, whereaboutsAfter(movement, shapeOfAreas)]))
  return new Map([...moved].map(([asset, movement]) => [asset, after.get(movement) ?? unknownWhereabouts]))
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
export const shapesOf = (area: Values | undefined): readonly string[] =>
  (area as ValuesOf<typeof areaFields> | undefined)?.geofield ?? []
