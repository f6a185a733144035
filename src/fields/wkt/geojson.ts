import { drawableGeometry } from './drawable-geometry.ts'
import type { Geometry } from './geometry.ts'
import { parseWkt } from './parser.ts'

type GeoJsonGeometry =
  | { readonly type: Exclude<Geometry['type'], 'GeometryCollection'>; readonly coordinates: readonly unknown[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly GeoJsonGeometry[] }

/** RFC 7946, section 3.1; nothing where nothing can be shown. */
export function geoJsonGeometry(wkt: string): GeoJsonGeometry | null {
  const geometry = drawableGeometry(parseWkt(wkt))
  return geometry === null ? null : inGeoJson(geometry)
}

function inGeoJson(geometry: Geometry): GeoJsonGeometry {
  if (geometry.type === 'GeometryCollection')
    return { type: geometry.type, geometries: geometry.geometries.map(inGeoJson) }
  return { type: geometry.type, coordinates: (geometry.coordinates as readonly unknown[]).map(numbers) }
}

const numbers = (part: unknown): unknown => (Array.isArray(part) ? part.map(numbers) : Number(part))
