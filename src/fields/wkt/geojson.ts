import { type Dimension, type Geometry, isEmpty, type Position } from './geometry.ts'
import { parseWkt } from './parser.ts'

export type GeoJsonGeometry =
  | { readonly type: Exclude<Geometry['type'], 'GeometryCollection'>; readonly coordinates: readonly unknown[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly GeoJsonGeometry[] }

/**
 * RFC 7946, section 3.1. It has no place for a measure (M) nor for what is EMPTY: both are left out, and where nothing is
 * left there is no geometry. A ring ends at the very position it begins with, also in height.
 */
export function geoJsonGeometry(wkt: string): GeoJsonGeometry | null {
  const geometry = parseWkt(wkt)
  return isEmpty(geometry) ? null : inGeoJson(geometry)
}

function inGeoJson(geometry: Geometry): GeoJsonGeometry {
  const position = positionReader(geometry.dimension)
  const line = (positions: readonly Position[]) => positions.map(position)
  const ring = (positions: readonly Position[]) => line([...positions.slice(0, -1), ...positions.slice(0, 1)])
  switch (geometry.type) {
    case 'Point':
      return { type: geometry.type, coordinates: position(geometry.coordinates) }
    case 'LineString':
      return { type: geometry.type, coordinates: line(geometry.coordinates) }
    case 'MultiPoint':
      return { type: geometry.type, coordinates: line(geometry.coordinates.filter(isPresent)) }
    case 'Polygon':
      return { type: geometry.type, coordinates: geometry.coordinates.map(ring) }
    case 'MultiLineString':
      return { type: geometry.type, coordinates: geometry.coordinates.filter(isPresent).map(line) }
    case 'MultiPolygon':
      return { type: geometry.type, coordinates: geometry.coordinates.filter(isPresent).map((area) => area.map(ring)) }
    case 'GeometryCollection':
      return { type: geometry.type, geometries: geometry.geometries.filter((one) => !isEmpty(one)).map(inGeoJson) }
  }
}

function isPresent(part: readonly unknown[]): boolean {
  return part.length > 0
}

function positionReader(dimension: Dimension): (position: Position) => number[] {
  const width = dimension.startsWith('XYZ') ? 3 : 2
  return (position) => position.slice(0, width).map(Number)
}
