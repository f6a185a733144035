import { metresBetween, squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { inDegrees, onMap } from '../../look/place/mercator.ts'
import { readWkt } from '../../look/place/wkt.ts'

/** In degrees (WGS 84). */
export type Corner = readonly [longitude: number, latitude: number]

/** In metres of the map. */
export type MapSpot = readonly [x: number, y: number]

export type Form = 'point' | 'line' | 'area'

export const formOf = (corners: readonly unknown[]): Form =>
  corners.length > 2 ? 'area' : corners.length === 2 ? 'line' : 'point'

export function mapSpotOf([longitude, latitude]: Corner): MapSpot {
  const [x = 0, y = 0] = onMap([longitude, latitude])
  return [x, y]
}

export function cornerAt([x, y]: MapSpot): Corner {
  const [longitude, latitude] = inDegrees([x, y, x, y])
  return rounded([longitude, latitude])
}

/** To a tenth of a millimetre, so that a narrow bed keeps its width. */
export const rounded = ([longitude, latitude]: Corner): Corner => [
  Number(longitude.toFixed(9)),
  Number(latitude.toFixed(9)),
]

export function wktOf(corners: readonly Corner[], form: Form): string {
  const [first] = corners
  if (first === undefined) return ''
  if (form === 'point') return `POINT (${first.join(' ')})`
  const path = (form === 'area' ? [...corners, first] : corners).map((corner) => corner.join(' ')).join(', ')
  return form === 'area' ? `POLYGON ((${path}))` : `LINESTRING (${path})`
}

export interface DrawnShape {
  readonly corners: readonly Corner[]
  readonly form: Form
}

/** The corners of a single shape; undefined where an area has several parts or holes, which are not drawn here. */
export function shapeIn(wkt: readonly string[]): DrawnShape | undefined {
  const shapes = wkt.map(readWkt)
  const areas = shapes.flatMap((shape) => shape.areas)
  const [lines, points] = [shapes.flatMap((shape) => shape.lines), shapes.flatMap((shape) => shape.points)]
  if (areas.length + lines.length + points.length !== 1) return undefined
  const [rings = []] = areas
  if (rings.length > 1) return undefined
  const [ring] = rings
  if (ring !== undefined) return { corners: cornersOf(ring).slice(0, -1), form: 'area' }
  const [line] = lines
  return line === undefined
    ? { corners: cornersOf(points[0] ?? []), form: 'point' }
    : { corners: cornersOf(line), form: 'line' }
}

export const cornersOf = (path: readonly number[]): Corner[] =>
  path.flatMap((longitude, at) => (at % 2 === 0 ? [[longitude, path[at + 1] ?? 0] as const] : []))

/** Square metres within the corners. */
export function sizeOf(corners: readonly Corner[]): number {
  const [first] = corners
  return first === undefined ? 0 : squareMetresOf({ areas: [[[...corners, first].flat()]] })
}

/** Metres along the corners, and for an area back to the first. */
export function lengthOf(corners: readonly Corner[], form: Form): number {
  const [first] = corners
  const path = form === 'area' && first !== undefined ? [...corners, first] : corners
  return path.slice(1).reduce((sum, corner, at) => sum + metresBetween(path[at] ?? corner, corner), 0)
}
