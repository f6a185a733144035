import type { Geometry, LinePositions, PolygonRings, PositionTexts } from './geometry.ts'

/** The parts of a geometry, flattened, without EMPTY ones. */
export interface GeometryShapes {
  readonly points: readonly PositionTexts[]
  readonly lines: readonly LinePositions[]
  readonly areas: readonly PolygonRings[]
}

export function shapesOf(geometry: Geometry): GeometryShapes {
  switch (geometry.type) {
    case 'Point':
      return shapes({ points: [geometry.coordinates] })
    case 'MultiPoint':
      return shapes({ points: geometry.coordinates })
    case 'LineString':
      return shapes({ lines: [geometry.coordinates] })
    case 'MultiLineString':
      return shapes({ lines: geometry.coordinates })
    case 'Polygon':
      return shapes({ areas: [geometry.coordinates] })
    case 'MultiPolygon':
      return shapes({ areas: geometry.coordinates })
    case 'GeometryCollection':
      return together(geometry.geometries.map(shapesOf))
  }
}

/** Every position that stands in them. */
export const positionsIn = ({ points, lines, areas }: GeometryShapes): readonly PositionTexts[] => [
  ...points,
  ...lines.flat(),
  ...areas.flat(2),
]

const shapes = ({ points = [], lines = [], areas = [] }: Partial<GeometryShapes>): GeometryShapes => ({
  points: points.filter(isPresent),
  lines: lines.filter(isPresent),
  areas: areas.filter(isPresent),
})

const together = (members: readonly GeometryShapes[]): GeometryShapes => ({
  points: members.flatMap(({ points }) => points),
  lines: members.flatMap(({ lines }) => lines),
  areas: members.flatMap(({ areas }) => areas),
})

const isPresent = (part: readonly unknown[]): boolean => part.length > 0
