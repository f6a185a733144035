import { isInside } from '../../look/place/inside.ts'
import { type Corner, intersectionOf, minus, planeOf, plus, type Spot, sizeOf, times } from './geometry.ts'

interface AreaParts {
  readonly rest: readonly Corner[]
  readonly off: readonly Corner[]
}

/** Splits an area by a line, extended at its ends if needed. Undefined unless it crosses exactly once. */
export function splitBy(corners: readonly Corner[], line: readonly Corner[]): AreaParts | undefined {
  if (line.length < 2) return undefined
  const { onPlane, onGround } = planeOf(corners)
  const ring = corners.map(onPlane)
  const linePoints = line.map(onPlane)
  const cut = cutOf(ring, linePoints)
  if (cut === undefined) return undefined
  const [one, other] = partsOf(ring, cut).map((part) => part.map(onGround))
  if (one === undefined || other === undefined) return undefined
  return sizeOf(one) < sizeOf(other) ? { off: one, rest: other } : { off: other, rest: one }
}

interface CutLine {
  /** From side to side of the area. */
  readonly path: readonly Spot[]
  /** Sides where it begins and ends: index of the first corner, and position along the side. */
  readonly from: Place
  readonly to: Place
}

interface Place {
  readonly side: number
  readonly along: number
}

interface LineCrossing extends Place {
  readonly at: Spot
  /** Position along the line: whole numbers are its corners. */
  readonly far: number
}

/** Extension of the line at its ends, in its own lengths. */
const longer = 10

function cutOf(ring: readonly Spot[], linePoints: readonly Spot[]): CutLine | undefined {
  const line = lengthened(linePoints)
  const crossings = crossingsOf(ring, line)
  const last = line.length - 1
  const within = crossings.slice(1).flatMap((to, at) => {
    const from = crossings[at]
    return from !== undefined && isWithin(ring, line, (from.far + to.far) / 2) ? [{ from, to }] : []
  })
  const meant = within.filter(({ from, to }) => Math.min(to.far, last - 1) - Math.max(from.far, 1) > 0.01)
  const [only] = meant
  if (only === undefined || meant.length > 1) return undefined
  const inner = line.filter((_, at) => at > only.from.far && at < only.to.far)
  return { path: [only.from.at, ...inner, only.to.at], from: only.from, to: only.to }
}

function lengthened(linePoints: readonly Spot[]): readonly Spot[] {
  const [first, second] = [linePoints[0] as Spot, linePoints[1] as Spot]
  const [last, before] = [linePoints.at(-1) as Spot, linePoints.at(-2) as Spot]
  return [
    plus(first, times(minus(first, second), longer)),
    ...linePoints,
    plus(last, times(minus(last, before), longer)),
  ]
}

function crossingsOf(ring: readonly Spot[], line: readonly Spot[]): readonly LineCrossing[] {
  const found = line.slice(1).flatMap((to, at) =>
    ring.flatMap((start, side) => {
      const meeting = intersectionOf([line[at] ?? to, to], [start, ring[(side + 1) % ring.length] ?? start])
      return meeting === undefined ? [] : [{ side, along: meeting.alongOther, at: meeting.at, far: at + meeting.along }]
    }),
  )
  return found.sort((one, other) => one.far - other.far)
}

function isWithin(ring: readonly Spot[], line: readonly Spot[], far: number): boolean {
  const at = Math.min(Math.floor(far), line.length - 2)
  const [from, to] = [line[at] as Spot, line[at + 1] as Spot]
  const [east, north] = plus(from, times(minus(to, from), far - at))
  const [first = [0, 0]] = ring
  return isInside([[...ring, first].flat()], east, north)
}

/** Both ways around the ring from the end of the cut to its beginning. */
function partsOf(ring: readonly Spot[], { path, from, to }: CutLine): readonly (readonly Spot[])[] {
  return [
    [...path, ...cornersBetween(ring, to, from)],
    [...path.toReversed(), ...cornersBetween(ring, from, to)],
  ].map(withoutTwins)
}

function cornersBetween(ring: readonly Spot[], from: Place, to: Place): readonly Spot[] {
  const isAhead = from.side === to.side && from.along <= to.along
  const steps = isAhead ? 0 : (to.side - from.side + ring.length) % ring.length || ring.length
  return Array.from({ length: steps }, (_, at) => ring[(from.side + 1 + at) % ring.length] as Spot)
}

/** A cut through a corner would repeat it. */
const withoutTwins = (ring: readonly Spot[]): readonly Spot[] =>
  ring.filter((spot, at) => {
    const [east, north] = minus(spot, ring.at(at - 1) ?? spot)
    return ring.length < 2 || Math.hypot(east, north) > 0.001
  })
