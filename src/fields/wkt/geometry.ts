export type Dimension = 'XY' | 'XYZ' | 'XYM' | 'XYZM'

/** Longitude, latitude, then what the dimension adds; every number as it was written. The position of an empty point has none. */
export type PositionTexts = readonly string[]

export type LinePositions = readonly PositionTexts[]

/** Its rings: the outer one, then the holes. */
export type PolygonRings = readonly LinePositions[]

interface Shape<Type extends string, Coordinates> {
  readonly type: Type
  readonly dimension: Dimension
  readonly coordinates: Coordinates
}

interface Collection {
  readonly type: 'GeometryCollection'
  /** The common dimension of all members, or XY if they differ. */
  readonly dimension: Dimension
  readonly geometries: readonly Geometry[]
}

export type Geometry =
  | Shape<'Point', PositionTexts>
  | Shape<'LineString', LinePositions>
  | Shape<'Polygon', PolygonRings>
  | Shape<'MultiPoint', readonly PositionTexts[]>
  | Shape<'MultiLineString', readonly LinePositions[]>
  | Shape<'MultiPolygon', readonly PolygonRings[]>
  | Collection

export type GeometryType = Geometry['type']

export function isEmpty(geometry: Geometry): boolean {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.every(isEmpty)
  const parts: readonly unknown[] = geometry.coordinates
  return geometry.type.startsWith('Multi') ? parts.every(hasNothing) : hasNothing(parts)
}

export function sharedDimension(geometries: readonly Geometry[]): Dimension {
  const first = geometries[0]?.dimension ?? 'XY'
  return geometries.every((geometry) => geometry.dimension === first) ? first : 'XY'
}

function hasNothing(part: unknown): boolean {
  return Array.isArray(part) && part.length === 0
}
