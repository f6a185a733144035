import type { Dimension, Geometry, Position } from './geometry.ts'
import { parseWkt } from './parser.ts'

export type GeoJsonGeometry =
  | { readonly type: Exclude<Geometry['type'], 'GeometryCollection'>; readonly coordinates: readonly unknown[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly GeoJsonGeometry[] }

/** RFC 7946, section 3.1. It has no place for a measure (M) nor for empty members of a MULTI…: both are left out. */
export function geoJsonGeometry(wkt: string): GeoJsonGeometry {
  return inGeoJson(parseWkt(wkt))
}

function inGeoJson(geometry: Geometry): GeoJsonGeometry {
  const position = positionReader(geometry.dimension)
  switch (geometry.type) {
    case 'Point':
      return { type: geometry.type, coordinates: position(geometry.coordinates) }
    case 'LineString':
      return { type: geometry.type, coordinates: geometry.coordinates.map(position) }
    case 'MultiPoint':
      return { type: geometry.type, coordinates: geometry.coordinates.filter(isPresent).map(position) }
    case 'Polygon':
    case 'MultiLineString':
      return {
        type: geometry.type,
        coordinates: geometry.coordinates.filter(isPresent).map((line) => line.map(position)),
      }
    case 'MultiPolygon':
      return {
        type: geometry.type,
        coordinates: geometry.coordinates.filter(isPresent).map((area) => area.map((ring) => ring.map(position))),
      }
    case 'GeometryCollection':
      return { type: geometry.type, geometries: geometry.geometries.map(inGeoJson) }
  }
}

function isPresent(part: readonly unknown[]): boolean {
  return part.length > 0
}

function positionReader(dimension: Dimension): (position: Position) => number[] {
  const width = dimension.startsWith('XYZ') ? 3 : 2
  return (position) => position.slice(0, width).map(Number)
}
