import type { Values } from '../../fields/value.ts'
import { combineWkt } from '../../fields/wkt/combination.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/farm-state.ts'
import type { PlacedThing } from '../../storage/history/stay-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { byType, movementOf, siteOf, thingsIn, thingsOf } from '../implications.ts'
import { shapesAt } from './whereabouts.ts'

/** The geometry of each log in /api, by id; empty if there is none. */
export async function newerLogGeometries(
  snapshot: Snapshot,
  logs: readonly Pick<StoredRecord, 'id' | 'values'>[],
  time: PointInTime,
): Promise<ReadonlyMap<number, string>> {
  const sayings = new Map(logs.map(({ id, values }) => [id, sayingOf(values)]))
  const asked = [...sayings.values()].flatMap(({ own, of }) => (own === '' ? of : []))
  const shapes = await shapesAt(snapshot, byType(asked), time)
  return new Map(
    [...sayings].map(([id, { own, of, which }]) => {
      const places = which === 'all' ? of : of.filter((thing) => shapes.standingOf(thing)?.isPlace === true)
      return [id, own === '' ? shapes.geometryOf(places) : own]
    }),
  )
}

interface LogShape {
  /** Takes precedence. */
  readonly own: string
  /** Otherwise the combined geometry of these things: of all, or only of places. */
  readonly of: readonly PlacedThing[]
  readonly which: 'all' | 'places'
}

/** In order of precedence: the movement, the site, the subjects that are places. */
function sayingOf(values: Values): LogShape {
  const movement = movementOf(values)
  if (movement !== undefined) return { own: movement.geometry, of: thingsIn(movement), which: 'all' }
  const site = siteOf(values)
  const own = combineWkt(site.geometries)
  const places = thingsIn(site)
  if (places.length > 0) return { own, of: places, which: 'all' }
  return { own, of: thingsOf(values).flatMap(({ type, ids }) => ids.map((id) => ({ type, id }))), which: 'places' }
}
