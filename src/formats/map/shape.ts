import type { Dimension, Geometry, LinePositions, PolygonRings, PositionTexts } from '../../fields/wkt/geometry.ts'
import { boundingSize, jsonNumber } from '../../fields/wkt/number-token.ts'
import { positionsIn, shapesOf } from '../../fields/wkt/shapes.ts'

/** A geometry as a map format states it; each position has two numbers or more. */
export type ShapeSketch =
  | { readonly type: 'Point'; readonly coordinates: PositionTexts }
  | { readonly type: 'LineString'; readonly coordinates: LinePositions }
  | { readonly type: 'Polygon'; readonly coordinates: PolygonRings }
  | { readonly type: 'MultiPoint'; readonly coordinates: readonly PositionTexts[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly LinePositions[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly PolygonRings[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly ShapeSketch[] }

/** The fault of a feature's geometry, and how to fix it. */
export class BadShape extends Error {}

/** The geometry of a sketch. Altitudes that are all 0 are dropped; otherwise all positions have one. */
export function geometryOf(sketch: ShapeSketch): Geometry {
  if (sketch.type === 'GeometryCollection') {
    const geometries = sketch.geometries.map(geometryOf)
    const first = geometries[0]?.dimension ?? 'XY'
    const dimension = geometries.every((one) => one.dimension === first) ? first : 'XY'
    return { type: sketch.type, dimension, geometries }
  }
  const plain = { ...sketch, dimension: 'XY' } as Geometry
  const { points, lines, areas } = shapesOf(plain)
  for (const line of lines) requireLine(line)
  for (const ring of areas.flat()) requireRing(ring)
  const positions = positionsIn({ points, lines, areas })
  for (const position of positions) requirePosition(position)
  return withDimension(plain, positions.some(hasAltitude) ? 'XYZ' : 'XY')
}

function withDimension(geometry: Geometry, dimension: Dimension): Geometry {
  const put = (part: unknown): unknown => {
    if (!Array.isArray(part)) return part
    if (typeof part[0] !== 'string') return part.map(put)
    const [lon, lat, altitude = '0'] = part
    return dimension === 'XYZ' ? [lon, lat, altitude] : [lon, lat]
  }
  return geometry.type === 'GeometryCollection'
    ? geometry
    : ({ ...geometry, dimension, coordinates: put(geometry.coordinates) } as Geometry)
}

const hasAltitude = ([, , altitude]: PositionTexts): boolean => altitude !== undefined && Number(altitude) !== 0

const bounds = [
  { name: 'longitude', most: 180 },
  { name: 'latitude', most: 90 },
] as const

function requirePosition(position: PositionTexts): void {
  if (position.length < 2)
    throw new BadShape('a position has a longitude and a latitude, and this one has one number only')
  for (const [index, token] of position.entries()) {
    const size = boundingSize(token)
    if (size === undefined || size === Number.POSITIVE_INFINITY)
      throw new BadShape(`${quoted(token)} is not a number that a position can have`)
    const bound = bounds[index]
    if (bound === undefined || size <= bound.most) continue
    throw new BadShape(
      `the ${bound.name} ${quoted(token)} is beyond ±${bound.most}: positions are longitude, then latitude, in degrees (WGS 84)`,
    )
  }
}

function requireLine(line: LinePositions): void {
  if (line.length < 2) throw new BadShape('a line has two positions at least')
}

function requireRing(ring: LinePositions): void {
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined) throw new BadShape('a ring has no positions')
  if (Number(first[0]) !== Number(last[0]) || Number(first[1]) !== Number(last[1])) {
    const [begins, ends] = [first, last].map((position) => quoted(position.slice(0, 2).join(' ')))
    throw new BadShape(
      `a ring is not closed: it begins at ${begins} and ends at ${ends}; repeat its first position at its end`,
    )
  }
  if (ring.length < 4)
    throw new BadShape(`a ring has four positions at least, the last like the first, and this one has ${ring.length}`)
}

/** Positive where a ring runs counter-clockwise. */
export function signedArea(ring: LinePositions): number {
  let sum = 0
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? []
    sum += Number(x) * Number(nextY) - Number(nextX) * Number(y)
  }
  return sum / 2
}

/** The fault of a shape that has a ring which crosses itself. Such shapes can be stored, so only new ones are judged. */
export function crossingFault(geometry: Geometry): string | undefined {
  const crossings = shapesOf(geometry).areas.flatMap((area) => area.flatMap((ring) => crossingOf(ring) ?? []))
  const [first] = crossings
  return first && `a ring crosses itself at longitude and latitude ${first}; draw it anew`
}

/** Longer rings are not checked: that would take too long. */
const longestChecked = 20_000

/** The place where a ring crosses itself; touching is no crossing. */
function crossingOf(ring: LinePositions): string | undefined {
  if (ring.length > longestChecked) return undefined
  const points = ring.map(([x, y]) => [Number(x), Number(y)] as const)
  const sides = points.slice(1).flatMap((to, index) => {
    const from = points[index]
    return from === undefined ? [] : [{ from, to, left: Math.min(from[0], to[0]), right: Math.max(from[0], to[0]) }]
  })
  let open: typeof sides = []
  for (const side of sides.toSorted((one, other) => one.left - other.left)) {
    open = open.filter(({ right }) => right >= side.left)
    for (const other of open) {
      const place = meeting(side, other)
      if (place !== undefined) return place.map((degree) => degree.toFixed(6)).join(' ')
    }
    open.push(side)
  }
  return undefined
}

type Side = { readonly from: readonly [number, number]; readonly to: readonly [number, number] }

/** Where two sides cross within both of them. */
function meeting({ from: [ax, ay], to: [bx, by] }: Side, { from: [cx, cy], to: [dx, dy] }: Side) {
  const across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
  const one = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
  const other = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
  const isInside = (part: number) => part > 1e-9 && part < 1 - 1e-9
  return isInside(one) && isInside(other) ? [ax + one * (bx - ax), ay + one * (by - ay)] : undefined
}

const quoted = (text: string): string => (text.length > 40 ? `"${text.slice(0, 40)}…"` : `"${text}"`)

/** Outer rings run counter-clockwise, holes clockwise (RFC 7946, section 3.1.6). */
export const ringWound = (ring: LinePositions, index: number): LinePositions =>
  signedArea(ring) * (index === 0 ? 1 : -1) >= 0 ? ring : ring.toReversed()

/** Equal for geometries that look the same: formats differ in winding, collections of one and altitudes of 0. */
export function shapeKey(geometry: Geometry | null): string {
  if (geometry === null) return ''
  const { points, lines, areas } = shapesOf(geometry)
  return [
    points.map(positionKey).join(),
    lines.map(lineKey).join(),
    areas.map((area) => area.map(ringKey).join('/')).join(),
  ].join(';')
}

/** The same both ways round, also if the area is so small that its sign depends on rounding. */
function ringKey(ring: LinePositions): string {
  const [forth, back] = [lineKey(ring), lineKey(ring.toReversed())]
  return forth < back ? forth : back
}

const lineKey = (line: LinePositions): string => line.map(positionKey).join(':')

function positionKey([lon = '', lat = '', altitude = '0']: PositionTexts): string {
  const place = `${jsonNumber(lon)} ${jsonNumber(lat)}`
  return Number(altitude) === 0 ? place : `${place} ${jsonNumber(altitude)}`
}
