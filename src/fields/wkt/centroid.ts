import { boundsOf, type GeometryBounds, type GeometryPlace, placeOf } from './bounds.ts'
import type { LinePositions, PolygonRings, PositionTexts } from './geometry.ts'
import { type GeometryShapes, positionsIn } from './shapes.ts'

/**
 * The middle of a geometry: of its areas by their size, else of its lines by their length, else of its points. An area
 * without size counts as its boundary, a line without length as its points, and so does a ring that crosses itself so that
 * its parts cancel each other out and the middle would lie outside of it all.
 */
export function centroidOf(shapes: GeometryShapes): GeometryPlace | undefined {
  const positions = positionsIn(shapes)
  const [first] = positions
  const bounds = boundsOf(positions)
  if (first === undefined || bounds === undefined) return undefined
  const sums = [byArea, byLength, byCount].map((sumOf) => sumOf(shapes, placeOf(first)))
  const middles = sums.map((sum) => middleOf(sum, placeOf(first)))
  const middle = middles.find((candidate) => isWithin(candidate, bounds)) ?? placeOf(first)
  return { lon: between(bounds.left, middle.lon, bounds.right), lat: between(bounds.bottom, middle.lat, bounds.top) }
}

/** Places that were added up, each as often as it weighs; reckoned from an origin among them, so that few digits are lost. */
class WeightedSum {
  weight = 0
  lon = 0
  lat = 0

  add({ lon, lat }: GeometryPlace, weight: number): void {
    this.weight += weight
    this.lon += lon * weight
    this.lat += lat * weight
  }
}

function middleOf({ weight, lon, lat }: WeightedSum, origin: GeometryPlace): GeometryPlace {
  if (!(weight > 0)) return { lon: Number.NaN, lat: Number.NaN }
  return { lon: origin.lon + lon / weight, lat: origin.lat + lat / weight }
}

function byArea({ areas }: GeometryShapes, origin: GeometryPlace): WeightedSum {
  const sum = new WeightedSum()
  for (const area of areas) addArea(sum, area, origin)
  return sum
}

/** The outer ring less its holes, whichever way round each was drawn. */
function addArea(sum: WeightedSum, [outer = [], ...holes]: PolygonRings, origin: GeometryPlace): void {
  addRing(sum, outer, { origin, sign: 1 })
  for (const hole of holes) addRing(sum, hole, { origin, sign: -1 })
}

function addRing(
  sum: WeightedSum,
  ring: LinePositions,
  { origin, sign }: { origin: GeometryPlace; sign: 1 | -1 },
): void {
  const triangles = new WeightedSum()
  for (const [from, to] of segmentsOf(ring, origin)) {
    const twiceTheSize = from.lon * to.lat - to.lon * from.lat
    triangles.add({ lon: (from.lon + to.lon) / 3, lat: (from.lat + to.lat) / 3 }, twiceTheSize)
  }
  const { weight, lon, lat } = triangles
  if (weight !== 0) sum.add({ lon: lon / weight, lat: lat / weight }, sign * Math.abs(weight))
}

function byLength({ lines, areas }: GeometryShapes, origin: GeometryPlace): WeightedSum {
  const sum = new WeightedSum()
  for (const line of [...lines, ...areas.flat()]) {
    for (const [from, to] of segmentsOf(line, origin)) {
      const length = Math.hypot(to.lon - from.lon, to.lat - from.lat)
      sum.add({ lon: (from.lon + to.lon) / 2, lat: (from.lat + to.lat) / 2 }, length)
    }
  }
  return sum
}

function byCount(shapes: GeometryShapes, origin: GeometryPlace): WeightedSum {
  const sum = new WeightedSum()
  for (const position of positionsIn(shapes)) sum.add(seenFrom(origin, position), 1)
  return sum
}

function segmentsOf(line: LinePositions, origin: GeometryPlace): readonly (readonly [GeometryPlace, GeometryPlace])[] {
  const places = line.map((position) => seenFrom(origin, position))
  return places.slice(1).map((to, index) => [places[index] ?? to, to])
}

function seenFrom(origin: GeometryPlace, position: PositionTexts): GeometryPlace {
  const { lon, lat } = placeOf(position)
  return { lon: lon - origin.lon, lat: lat - origin.lat }
}

/** Ignores rounding errors of a centre on the very edge. */
const edge = 1e-9

const isWithin = ({ lon, lat }: GeometryPlace, { left, bottom, right, top }: GeometryBounds): boolean =>
  lon >= left - edge && lon <= right + edge && lat >= bottom - edge && lat <= top + edge

const between = (least: number, number: number, most: number): number => Math.min(Math.max(number, least), most)
