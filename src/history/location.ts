import type { areaFields } from '../farm/areas/areas.ts'
import type { Values, ValuesOfFields } from '../fields/value.ts'
import { combineWkt } from '../fields/wkt/combination.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { type ByThing, decidingLogs, type PlacedThings } from '../storage/history/stay-rows.ts'
import { fieldsByIds, momentsByIds } from '../storage/records/record-rows.ts'
import { eachType, type Movement, movementOf } from './implications.ts'
import { groupsOf } from './membership.ts'

export interface Whereabouts {
  readonly areas: readonly number[]
  readonly geometry: string
}

export const unknownWhereabouts: Whereabouts = { areas: [], geometry: '' }

/** The location of these assets at that time, for a whole page at once; assets that never moved are missing. */
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

/** The areas of a movement, and its geometry: its own, else that of its areas combined. */
function whereaboutsAfter(
  { areas, geometry }: Movement,
  shapeOfAreas: (areas: readonly number[]) => string,
): Whereabouts {
  return { areas, geometry: geometry === '' ? shapeOfAreas(areas) : geometry }
}

/** Cached: many logs of a page name the same areas. */
function combiningOnce(shapesOfArea: (area: number) => readonly string[]): (areas: readonly number[]) => string {
  const combined = new Map<string, string>()
  return (areas) => {
    const key = areas.join()
    const shape = combined.get(key) ?? combineWkt(areas.flatMap(shapesOfArea))
    combined.set(key, shape)
    return shape
  }
}

// The cast is safe: the catalogue defines the values of an area.
export const shapesOf = (area: Values | undefined): readonly string[] =>
  (area as ValuesOfFields<typeof areaFields> | undefined)?.geofield ?? []

interface MovementQuery {
  readonly time: PointInTime
  /** Decides whether things move with their groups. */
  readonly groups: 'followed' | 'ignored'
}

/** The latest movement of these things at that time, for a whole page at once; things that never moved are missing. */
export async function movementsOf(
  snapshot: Snapshot,
  things: readonly PlacedThings[],
  { time, groups }: MovementQuery,
): Promise<ByThing<Movement>> {
  const now = time.second
  const own = await eachType(things, (some) => decidingLogs(snapshot, some, { kind: 'movement', now }))
  const deciding = groups === 'ignored' ? own : await alongWithGroups(snapshot, own, { things, time })
  const ids = [...new Set([...deciding.asset.values(), ...deciding.term.values()])]
  const logs = await fieldsByIds(snapshot, 'log', ids)
  // One object per log, so that its consequences are computed once for all its assets.
  const movements = new Map([...logs].map(([id, log]) => [id, movementOf(log)]))
  return { asset: movedBy(movements, deciding.asset), term: movedBy(movements, deciding.term) }
}

const movedBy = (
  movements: ReadonlyMap<number, Movement | undefined>,
  deciding: ReadonlyMap<number, number>,
): ReadonlyMap<number, Movement> =>
  new Map(
    [...deciding].flatMap(([id, log]) => {
      const movement = movements.get(log)
      return movement === undefined ? [] : [[id, movement]]
    }),
  )

interface Members {
  readonly things: readonly PlacedThings[]
  readonly time: PointInTime
}

/** The latest of its own movement and those of each group that it is in then. */
async function alongWithGroups(
  snapshot: Snapshot,
  own: ByThing<number>,
  { things, time }: Members,
): Promise<ByThing<number>> {
  const joined = await eachType(things, (some) => groupsOf(snapshot, some, time))
  const groups = [...new Set([...joined.asset.values(), ...joined.term.values()].flat())]
  if (groups.length === 0) return own
  const ofGroups = await decidingLogs(snapshot, { type: 'asset', ids: groups }, { kind: 'movement', now: time.second })
  const logs = [...new Set([...own.asset.values(), ...own.term.values(), ...ofGroups.values()])]
  const moments = await momentsByIds(snapshot, logs)
  const byTime = (one: number, other: number) => (moments.get(one) ?? 0) - (moments.get(other) ?? 0) || one - other
  const withGroups = (mine: ReadonlyMap<number, number>, member: ReadonlyMap<number, readonly number[]>) => {
    const latest = new Map(mine)
    for (const [id, those] of member) {
      const candidates = [mine.get(id), ...those.map((group) => ofGroups.get(group))]
      const last = candidates
        .filter((log) => log !== undefined)
        .toSorted(byTime)
        .at(-1)
      if (last !== undefined) latest.set(id, last)
    }
    return latest
  }
  return { asset: withGroups(own.asset, joined.asset), term: withGroups(own.term, joined.term) }
}
