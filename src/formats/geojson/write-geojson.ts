import type { Geometry } from '../../fields/wkt/geometry.ts'
import { jsonNumber } from '../../fields/wkt/number-token.ts'
import type { ShownFeature } from '../map/feature.ts'
import { ringWound } from '../map/shape.ts'

/** Text before, between and after the features of a collection. */
export const aroundGeojson = { before: '{"type":"FeatureCollection","features":[\n', between: ',\n', behind: '\n]}\n' }

/** A feature (RFC 7946, section 3.2); every number as written. */
export const geojsonOf = ({ geometry, properties }: Pick<ShownFeature, 'geometry' | 'properties'>): string =>
  `{"type":"Feature","properties":${JSON.stringify(Object.fromEntries(properties))},"geometry":${geometryJson(geometry)}}`

function geometryJson(geometry: Geometry): string {
  if (geometry.type === 'GeometryCollection')
    return `{"type":"${geometry.type}","geometries":[${geometry.geometries.map(geometryJson).join()}]}`
  return `{"type":"${geometry.type}","coordinates":${coordinatesJson(wound(geometry))}}`
}

/** Outer rings run counter-clockwise, holes clockwise (RFC 7946, section 3.1.6). */
function wound(geometry: Exclude<Geometry, { readonly type: 'GeometryCollection' }>): unknown {
  if (geometry.type === 'Polygon') return geometry.coordinates.map(ringWound)
  return geometry.type === 'MultiPolygon'
    ? geometry.coordinates.map((rings) => rings.map(ringWound))
    : geometry.coordinates
}

const coordinatesJson = (part: unknown): string =>
  Array.isArray(part) ? `[${part.map(coordinatesJson).join()}]` : jsonNumber(String(part))
