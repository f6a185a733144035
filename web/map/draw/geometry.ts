import { metresBetween, squareMetresOf } from '../../../src/fields/wkt/size.ts'
import { inDegrees, onMap } from '../../look/place/mercator.ts'
import { readWkt } from '../../look/place/shapes.ts'

/** Degrees (WGS 84). */
export type Corner = readonly [longitude: number, latitude: number]

/** Map metres. */
export type MapSpot = readonly [x: number, y: number]

export type ShapeForm = 'point' | 'line' | 'area'

export const formOf = (corners: readonly unknown[]): ShapeForm =>
  corners.length > 2 ? 'area' : corners.length === 2 ? 'line' : 'point'

export function mapSpotOf([longitude, latitude]: Corner): MapSpot {
  const [x = 0, y = 0] = onMap([longitude, latitude])
  return [x, y]
}

export function cornerAt([x, y]: MapSpot): Corner {
  const [longitude, latitude] = inDegrees([x, y, x, y])
  return rounded([longitude, latitude])
}

/** Rounds to a tenth of a millimetre, so that a narrow bed keeps its width. */
export const rounded = ([longitude, latitude]: Corner): Corner => [
  Number(longitude.toFixed(9)),
  Number(latitude.toFixed(9)),
]

export function wktOf(corners: readonly Corner[], form: ShapeForm): string {
  const [first] = corners
  if (first === undefined) return ''
  if (form === 'point') return `POINT (${first.join(' ')})`
  const path = (form === 'area' ? [...corners, first] : corners).map((corner) => corner.join(' ')).join(', ')
  return form === 'area' ? `POLYGON ((${path}))` : `LINESTRING (${path})`
}

export interface DrawnShape {
  readonly corners: readonly Corner[]
  readonly form: ShapeForm
}

/** Corners of a single shape; undefined for several parts or holes, which this editor does not support. */
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

/** Square metres inside the corners. */
export function sizeOf(corners: readonly Corner[]): number {
  const [first] = corners
  return first === undefined ? 0 : squareMetresOf({ areas: [[[...corners, first].flat()]] })
}

/** Length in metres; for an area including the closing side. */
export function lengthOf(corners: readonly Corner[], form: ShapeForm): number {
  const [first] = corners
  const path = form === 'area' && first !== undefined ? [...corners, first] : corners
  return path.slice(1).reduce((sum, corner, at) => sum + metresBetween(path[at] ?? corner, corner), 0)
}

/** Metres east and north of the plane's origin. */
export type Spot = readonly [east: number, north: number]

/** Local tangent plane with true metres; exact enough for the size of a farm. */
export interface Plane {
  readonly onPlane: (corner: Corner) => Spot
  readonly onGround: (spot: Spot) => Corner
}

function planeAt([longitude, latitude]: Corner): Plane {
  const metresEast = metresBetween([longitude - half, latitude], [longitude + half, latitude]) / (2 * half)
  const metresNorth = metresBetween([longitude, latitude - half], [longitude, latitude + half]) / (2 * half)
  return {
    onPlane: (corner) => [(corner[0] - longitude) * metresEast, (corner[1] - latitude) * metresNorth],
    onGround: ([east, north]) => rounded([longitude + east / metresEast, latitude + north / metresNorth]),
  }
}

const half = 0.001

/** Plane at the centre of the corners. */
export function planeOf(corners: readonly Corner[]): Plane {
  const [longitudes, latitudes] = [corners.map(([one]) => one), corners.map(([, one]) => one)]
  return planeAt([middleOf(longitudes), middleOf(latitudes)])
}

const middleOf = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2

export const plus = ([east, north]: Spot, by: Spot): Spot => [east + by[0], north + by[1]]
export const minus = ([east, north]: Spot, by: Spot): Spot => [east - by[0], north - by[1]]
export const times = ([east, north]: Spot, factor: number): Spot => [east * factor, north * factor]
export const dot = (one: Spot, other: Spot): number => one[0] * other[0] + one[1] * other[1]
export const cross = (one: Spot, other: Spot): number => one[0] * other[1] - one[1] * other[0]

interface Intersection {
  readonly at: Spot
  /** Position along the first and the second line, 0 to 1. */
  readonly along: number
  readonly alongOther: number
}

/** Intersection of two lines. */
export function intersectionOf(
  [from, to]: readonly [Spot, Spot],
  [start, end]: readonly [Spot, Spot],
): Intersection | undefined {
  const [way, other] = [minus(to, from), minus(end, start)]
  const turn = cross(way, other)
  if (turn === 0) return undefined
  const between = minus(start, from)
  const [along, alongOther] = [cross(between, other) / turn, cross(between, way) / turn]
  if (along < 0 || along > 1 || alongOther < 0 || alongOther > 1) return undefined
  return { at: plus(from, times(way, along)), along, alongOther }
}

/** True if the side to a new corner crosses a side drawn before. */
export function crossesPath(corners: readonly Corner[], next: Corner): boolean {
  const last = corners.at(-1)
  if (last === undefined) return false
  const { onPlane } = planeOf([...corners, next])
  const side = [onPlane(last), onPlane(next)] as const
  const earlier = corners.slice(0, -1).map(onPlane)
  return earlier.slice(1).some((to, at) => intersectionOf([earlier[at] ?? to, to], side) !== undefined)
}

/** True if two sides of a ring cross. */
export function crossesItself(ring: readonly Spot[]): boolean {
  const sides = ring.map((from, at) => [from, ring[(at + 1) % ring.length] ?? from] as const)
  return sides.some((side, at) =>
    sides.some((other, otherAt) => {
      const isNext = Math.abs(at - otherAt) === 1 || Math.abs(at - otherAt) === sides.length - 1
      return otherAt > at && !isNext && intersectionOf(side, other) !== undefined
    }),
  )
}

export interface RectangleSize {
  /** Metres. */
  readonly length: number
  readonly width: number
  /** Direction of the length, in degrees clockwise from north. */
  readonly angle: number
}

/** Rectangle around a centre. */
export function rectangleAt(middle: Corner, { length, width, angle }: RectangleSize): readonly Corner[] {
  const turn = (angle * Math.PI) / 180
  const [along, beside] = [
    [Math.sin(turn), Math.cos(turn)],
    [Math.cos(turn), -Math.sin(turn)],
  ] as const
  const { onGround } = planeAt(middle)
  return corners.map(([up, right]) =>
    onGround([
      (up * length * along[0] + right * width * beside[0]) / 2,
      (up * length * along[1] + right * width * beside[1]) / 2,
    ]),
  )
}

const corners = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const
