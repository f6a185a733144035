import { type InputPlace, isBlank, isTree, shown } from '../../../fields/place.ts'
import { boundsOf } from '../../../fields/wkt/bounds.ts'
import { centroidOf } from '../../../fields/wkt/centroid.ts'
import { combineWkt } from '../../../fields/wkt/combination.ts'
import { geohashOf } from '../../../fields/wkt/geohash.ts'
import { parseWkt } from '../../../fields/wkt/parser.ts'
import { positionsIn, shapesOf } from '../../../fields/wkt/shapes.ts'
import { hasOnly } from './plain-values.ts'

/** What is worked out of a geometry; all of it null where it is EMPTY. */
const workedOut = {
  geo_type: null,
  lat: null,
  lon: null,
  left: null,
  top: null,
  right: null,
  bottom: null,
  geohash: null,
  latlon: null,
}

export type SpelledGeometry = { readonly value: string } & {
  readonly [Name in keyof typeof workedOut]: string | number | null
}

/** Several are shown as one; its text is as it was written. */
export function spellGeometry(wkts: readonly string[]): SpelledGeometry | null {
  if (wkts.length === 0) return null
  const value = combineWkt(wkts)
  const geometry = parseWkt(value)
  const shapes = shapesOf(geometry)
  const bounds = boundsOf(positionsIn(shapes))
  const middle = centroidOf(shapes)
  const common = { value, ...workedOut, geo_type: geometry.type }
  if (bounds === undefined || middle === undefined) return common
  const { lat, lon } = middle
  return { ...common, lat, lon, ...bounds, geohash: geohashOf(bounds), latlon: `${lat},${lon}` }
}

const members: readonly string[] = ['value', ...Object.keys(workedOut)]

/** Well-Known Text, bare or as `{value}`; what else is shown of a geometry may come back with it. */
export function readGeometry(input: unknown, place: InputPlace): string | undefined {
  if (typeof input === 'string') return input
  if (!isTree(input)) return place.fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input)}`)
  if (!hasOnly(input, members, place) || isBlank(input.value)) return undefined
  if (typeof input.value === 'string') return input.value
  return place.inside('value').fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input.value)}`)
}
