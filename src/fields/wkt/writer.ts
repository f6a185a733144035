import type { Dimension, Geometry, LinePositions, PositionTexts } from './geometry.ts'

/** One spelling for every geometry; the numbers stay as they were written. */
export function writeWkt(geometry: Geometry): string {
  return `${geometry.type.toUpperCase()}${tag(geometry.dimension)} ${body(geometry)}`
}

function tag(dimension: Dimension): string {
  return dimension === 'XY' ? '' : ` ${dimension.slice(2)}`
}

function body(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return point(geometry.coordinates)
    case 'LineString':
      return line(geometry.coordinates)
    case 'MultiPoint':
      return list(geometry.coordinates, point)
    case 'Polygon':
    case 'MultiLineString':
      return lines(geometry.coordinates)
    case 'MultiPolygon':
      return list(geometry.coordinates, lines)
    case 'GeometryCollection':
      return list(geometry.geometries, writeWkt)
  }
}

function point(position: PositionTexts): string {
  return position.length === 0 ? 'EMPTY' : `(${numbers(position)})`
}

function line(positions: LinePositions): string {
  return list(positions, numbers)
}

function lines(all: readonly LinePositions[]): string {
  return list(all, line)
}

function numbers(position: PositionTexts): string {
  return position.join(' ')
}

function list<Item>(items: readonly Item[], write: (item: Item) => string): string {
  return items.length === 0 ? 'EMPTY' : `(${items.map(write).join(', ')})`
}
