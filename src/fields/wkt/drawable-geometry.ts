import { type Dimension, type Geometry, isEmpty, type PositionTexts } from './geometry.ts'

/**
 * A geometry as maps can show it: they have no place for a measure (M) nor for what is EMPTY. Both are left out, and where nothing
 * is left there is no geometry. A ring ends at the very position it begins with, also in height.
 */
export function drawableGeometry(geometry: Geometry): Geometry | null {
  return isEmpty(geometry) ? null : present(geometry)
}

function present(geometry: Geometry): Geometry {
  const dimension: Dimension = geometry.dimension.startsWith('XYZ') ? 'XYZ' : 'XY'
  const position = (one: PositionTexts): PositionTexts => one.slice(0, dimension.length)
  const line = (positions: readonly PositionTexts[]) => positions.map(position)
  const ring = (positions: readonly PositionTexts[]) => line([...positions.slice(0, -1), ...positions.slice(0, 1)])
  const { type } = geometry
  switch (type) {
    case 'Point':
      return { type, dimension, coordinates: position(geometry.coordinates) }
    case 'LineString':
      return { type, dimension, coordinates: line(geometry.coordinates) }
    case 'MultiPoint':
      return { type, dimension, coordinates: line(geometry.coordinates.filter(isPresent)) }
    case 'Polygon':
      return { type, dimension, coordinates: geometry.coordinates.map(ring) }
    case 'MultiLineString':
      return { type, dimension, coordinates: geometry.coordinates.filter(isPresent).map(line) }
    case 'MultiPolygon':
      return { type, dimension, coordinates: geometry.coordinates.filter(isPresent).map((area) => area.map(ring)) }
    case 'GeometryCollection':
      return { type, dimension, geometries: geometry.geometries.filter((one) => !isEmpty(one)).map(present) }
  }
}

const isPresent = (part: readonly unknown[]): boolean => part.length > 0
