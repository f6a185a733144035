import { type GeometryField, isMany } from './field.ts'
import { textKey } from './key.ts'
import type { JsonSchema, KindRules, MemberComparison } from './kind.ts'
import { hasOnly, type InputPlace, isBlank, isTree, isUnfilled, shown } from './place.ts'
import { boundsOf, geohashOf } from './wkt/bounds.ts'
import { centroidOf } from './wkt/centroid.ts'
import { combineWkt } from './wkt/combination.ts'
import { parseWkt } from './wkt/parser.ts'
import { WktError } from './wkt/scanner.ts'
import { positionsIn, shapesOf } from './wkt/shapes.ts'

export const geometry = <const T extends Partial<GeometryField>>(label: string, traits?: T): GeometryField & T => ({
  kind: 'geometry',
  label,
  ...(traits as T),
})

/** Members of a geometry that /api can filter by. */
export const geometryMembers: Readonly<Record<string, MemberComparison>> = {
  value: { as: 'text', in: 'index' },
  geo_type: { as: 'text', in: 'record' },
  lat: { as: 'decimal', in: 'record' },
  lon: { as: 'decimal', in: 'record' },
  left: { as: 'decimal', in: 'record' },
  top: { as: 'decimal', in: 'record' },
  right: { as: 'decimal', in: 'record' },
  bottom: { as: 'decimal', in: 'record' },
  geohash: { as: 'text', in: 'record' },
  latlon: { as: 'text', in: 'record' },
}

export const geometryKind: KindRules<'geometry'> = {
  several: true,
  isLine: false,
  validate: validateGeometry,
  key: textKey,
  bounds: () => ({}),
  older: {
    type: () => 'geofield',
    template: (field) => (isMany(field) ? { geom: '' } : ''),
    read: readOlder,
    spell: (value, field) => (isMany(field) ? { geom: value } : value),
    none: () => null,
    shown: (field) => (isMany(field) ? 'Geometry' : 'WellKnownText'),
    given: (field) => (isMany(field) ? 'Geometry' : 'WellKnownText'),
    filter: { by: 'text', offers: 'inequality', equals: { type: 'string' } },
  },
  newer: {
    read: readNewer,
    // Several are spelled as one: then the value is a list.
    spell: (value) => spellGeometry([value].flat()),
    schema: () => ({ type: 'object', properties: memberSchemas(), required: ['value'] }),
    compares: geometryMembers,
  },
  cell: { spell: String, read: (_field, cell) => cell.trim() },
  mapText: undefined,
}

/** Well-Known Text, kept to the letter. */
function validateGeometry(_field: GeometryField, wkt: string, place: InputPlace): string | undefined {
  try {
    parseWkt(wkt)
    return wkt
  } catch (error) {
    if (error instanceof WktError) return place.fault(error.message)
    throw error
  }
}

/** Well-Known Text, bare or as `{"geom": …}`. */
function readOlder(field: GeometryField, input: unknown, place: InputPlace): string | undefined {
  if (isTree(input) && 'geom' in input) {
    if (isUnfilled(input)) return undefined
    return readOlder(field, input.geom, place)
  }
  if (typeof input === 'string') return input
  return place.fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input)}`)
}

/** Computed values of a geometry; all null if it is EMPTY. */
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

type SpelledGeometry = { readonly value: string } & {
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

const newerMembers: readonly string[] = ['value', ...Object.keys(workedOut)]

/** Well-Known Text, bare or as `{value}`; what else is shown of a geometry may come back with it. */
function readNewer(input: unknown, place: InputPlace): string | undefined {
  if (typeof input === 'string') return input
  if (!isTree(input)) return place.fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input)}`)
  if (!hasOnly(input, newerMembers, place) || isBlank(input.value)) return undefined
  if (typeof input.value === 'string') return input.value
  return place.inside('value').fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input.value)}`)
}

function memberSchemas(): JsonSchema {
  const number = { type: ['number', 'null'] }
  const text = { type: ['string', 'null'] }
  return {
    value: { type: 'string' },
    geo_type: text,
    lat: number,
    lon: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    geohash: text,
    latlon: text,
  }
}
