import { squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { surfaceText } from '../../look/place/area-size.ts'
import { readWkt } from '../../look/place/wkt.ts'
import { leftToRight } from '../../words/left-to-right.ts'
import { say } from './say.ts'

/** A shape as one would say it: where a point lies, how large an area is. */
export function shapeWords(wkt: string): string | null {
  const { points, lines, areas } = readWkt(wkt)
  if (areas.length > 0) return surfaceText(squareMetresOf({ areas }))
  const [point] = points
  if (points.length === 1 && point !== undefined) return positionWords(point)
  if (points.length > 0) return say('record.points', { count: points.length })
  return lines.length > 0 ? say('record.lines', { count: lines.length }) : null
}

const positionWords = ([longitude = 0, latitude = 0]: readonly number[]): string =>
  leftToRight(say('record.position', { latitude: latitude.toFixed(5), longitude: longitude.toFixed(5) }))
