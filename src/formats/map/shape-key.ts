import type { Geometry, LinePositions, PositionTexts } from '../../fields/wkt/geometry.ts'
import { jsonNumber } from '../../fields/wkt/number-token.ts'
import { shapesOf } from '../../fields/wkt/shapes.ts'

/**
 * The same for what a map shows alike: whether one polygon is a polygon or a collection of one is a matter of the format, and so is
 * an altitude of 0.
 */
export function shapeKey(geometry: Geometry | null): string {
  if (geometry === null) return ''
  const { points, lines, areas } = shapesOf(geometry)
  return [
    points.map(positionKey).join(),
    lines.map(lineKey).join(),
    areas.map((area) => area.map(lineKey).join('/')).join(),
  ].join(';')
}

const lineKey = (line: LinePositions): string => line.map(positionKey).join(':')

function positionKey([lon = '', lat = '', altitude = '0']: PositionTexts): string {
  const place = `${jsonNumber(lon)} ${jsonNumber(lat)}`
  return Number(altitude) === 0 ? place : `${place} ${jsonNumber(altitude)}`
}
