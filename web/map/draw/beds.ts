import { type Corner, cross, dot, minus, type Plane, planeOf, plus, type Spot, times } from './geometry.ts'

export const mostBeds = 200

/** Metres. */
export interface BedPlan {
  readonly count: number
  readonly length: number
  readonly width: number
  /** Width of the path between two beds; half of it at the sides. */
  readonly path: number
}

interface Beds {
  readonly beds: readonly (readonly Corner[])[]
  /** Number of beds that extend out of the area. */
  readonly outside: number
}

/** Beds of one size along the longest side of an area, aligned at their starts. */
export function bedsIn(corners: readonly Corner[], plan: BedPlan): Beds {
  const { ring, onGround } = alongLongestSide(corners)
  const strips = stripsOf(plan).map((strip) => ({ strip, free: freeIn(ring, strip) }))
  const shared = sharedOf(strips.map(({ free }) => free)) ?? reachOf(ring)
  const from = (shared[0] + shared[1] - plan.length) / 2
  const to = from + plan.length
  return {
    beds: strips.map(({ strip: [near, far] }) =>
      [
        [from, near],
        [to, near],
        [to, far],
        [from, far],
      ].map(([along = 0, deep = 0]) => onGround([along, deep])),
    ),
    outside: strips.filter(({ free }) => free === null || from < free[0] - slack || to > free[1] + slack).length,
  }
}

/** Number of beds that fit side by side. */
export function roomFor(corners: readonly Corner[], { width, path }: Pick<BedPlan, 'width' | 'path'>): number {
  const { ring } = alongLongestSide(corners)
  const depth = Math.max(...ring.map(([, deep]) => deep))
  return Math.max(1, Math.min(mostBeds, Math.floor((depth + slack) / (width + path))))
}

/** Maximum length at which all beds fit into the area; 0 if they do not. */
export function longestFor(corners: readonly Corner[], plan: Omit<BedPlan, 'length'>): number {
  const { ring } = alongLongestSide(corners)
  const shared = sharedOf(stripsOf(plan).map((strip) => freeIn(ring, strip)))
  return shared === null ? 0 : shared[1] - shared[0]
}

/** Tolerance in metres. */
const slack = 0.01

type Span = readonly [from: number, to: number]

const stripsOf = ({ count, width, path }: Omit<BedPlan, 'length'>): Span[] =>
  Array.from({ length: count }, (_, at) => {
    const near = path / 2 + at * (width + path)
    return [near, near + width]
  })

interface TurnedRing {
  /** Metres along the longest side, and into the area. */
  readonly ring: readonly Spot[]
  readonly onGround: (spot: Spot) => Corner
}

function alongLongestSide(corners: readonly Corner[]): TurnedRing {
  const plane: Plane = planeOf(corners)
  const ring = corners.map(plane.onPlane)
  const [from, way] = longestSide(ring)
  const length = Math.hypot(...way)
  const along = times(way, 1 / length)
  const inwards: Spot = turnOf(ring) > 0 ? [-along[1], along[0]] : [along[1], -along[0]]
  return {
    ring: ring.map((spot) => [dot(minus(spot, from), along), dot(minus(spot, from), inwards)]),
    onGround: ([far, deep]) => plane.onGround(plus(from, plus(times(along, far), times(inwards, deep)))),
  }
}

function longestSide(ring: readonly Spot[]): readonly [from: Spot, way: Spot] {
  const sides = ring.map((from, at) => [from, minus(ring[(at + 1) % ring.length] ?? from, from)] as const)
  return sides.reduce((best, side) => (Math.hypot(...side[1]) > Math.hypot(...best[1]) ? side : best))
}

/** Positive if the corners run counter-clockwise. */
const turnOf = (ring: readonly Spot[]): number =>
  ring.reduce((sum, spot, at) => sum + cross(spot, ring[(at + 1) % ring.length] ?? spot), 0)

/** Longest stretch inside the area over the whole width of a strip. */
function freeIn(ring: readonly Spot[], [near, far]: Span): Span | null {
  const between = ring.map(([, deep]) => deep).filter((deep) => deep > near && deep < far)
  return sharedOf([near + slack / 10, ...between, far - slack / 10].map((deep) => longestAt(ring, deep)))
}

function longestAt(ring: readonly Spot[], deep: number): Span | null {
  const crossings = ring
    .flatMap(([x1, y1], at) => {
      const [x2, y2] = ring[(at + 1) % ring.length] ?? [x1, y1]
      return y1 > deep === y2 > deep ? [] : [x1 + ((x2 - x1) * (deep - y1)) / (y2 - y1)]
    })
    .sort((one, other) => one - other)
  let longest: Span | null = null
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const span: Span = [crossings[at] ?? 0, crossings[at + 1] ?? 0]
    if (longest === null || span[1] - span[0] > longest[1] - longest[0]) longest = span
  }
  return longest
}

function sharedOf(spans: readonly (Span | null)[]): Span | null {
  return spans.reduce<Span | null>(
    (shared, span) => {
      if (shared === null || span === null) return null
      const both: Span = [Math.max(shared[0], span[0]), Math.min(shared[1], span[1])]
      return both[0] < both[1] ? both : null
    },
    [-Infinity, Infinity],
  )
}

const reachOf = (ring: readonly Spot[]): Span => [
  Math.min(...ring.map(([along]) => along)),
  Math.max(...ring.map(([along]) => along)),
]
