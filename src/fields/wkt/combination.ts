import {
  type Geometry,
  isEmpty,
  type LinePositions,
  type PolygonRings,
  type PositionTexts,
  sharedDimension,
} from './geometry.ts'
import { parseWkt } from './parser.ts'
import { writeWkt } from './writer.ts'

/**
 * Several geometries as one. An empty one adds nothing; a single one stays as it was written; points, lines or polygons
 * of one dimension become one MULTI…, which also takes in what is MULTI… already; anything else becomes a collection,
 * which takes in the members of collections, so that combining never nests deeper.
 */
export function combineWkt(wkts: readonly string[]): string {
  const [first = ''] = wkts
  if (wkts.length <= 1) return first
  const parsed = wkts.map((text) => ({ text, geometry: parseWkt(text) }))
  const present = parsed.filter(({ geometry }) => !isEmpty(geometry))
  if (present.length <= 1) return present[0]?.text ?? first
  return writeWkt(combine(present.map(({ geometry }) => geometry)))
}

function combine(geometries: readonly Geometry[]): Geometry {
  return combineAlike(geometries) ?? collect(geometries)
}

function combineAlike(geometries: readonly Geometry[]): Geometry | undefined {
  const dimension = sharedDimension(geometries)
  if (geometries.some((geometry) => geometry.dimension !== dimension)) return undefined
  const points = membersOf(geometries, pointsOf)
  if (points) return { type: 'MultiPoint', dimension, coordinates: points }
  const lines = membersOf(geometries, linesOf)
  if (lines) return { type: 'MultiLineString', dimension, coordinates: lines }
  const polygons = membersOf(geometries, polygonsOf)
  if (polygons) return { type: 'MultiPolygon', dimension, coordinates: polygons }
  return undefined
}

function collect(geometries: readonly Geometry[]): Geometry {
  const members = geometries.flatMap((geometry) =>
    geometry.type === 'GeometryCollection' ? geometry.geometries : [geometry],
  )
  return { type: 'GeometryCollection', dimension: sharedDimension(members), geometries: members }
}

/** The members of all of them, or nothing if one is of another kind. */
function membersOf<Member>(
  geometries: readonly Geometry[],
  members: (geometry: Geometry) => readonly Member[] | undefined,
): readonly Member[] | undefined {
  const all: Member[] = []
  for (const geometry of geometries) {
    const own = members(geometry)
    if (!own) return undefined
    for (const member of own) all.push(member)
  }
  return all
}

function pointsOf(geometry: Geometry): readonly PositionTexts[] | undefined {
  if (geometry.type === 'Point') return [geometry.coordinates]
  return geometry.type === 'MultiPoint' ? geometry.coordinates : undefined
}

function linesOf(geometry: Geometry): readonly LinePositions[] | undefined {
  if (geometry.type === 'LineString') return [geometry.coordinates]
  return geometry.type === 'MultiLineString' ? geometry.coordinates : undefined
}

function polygonsOf(geometry: Geometry): readonly PolygonRings[] | undefined {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : undefined
}
