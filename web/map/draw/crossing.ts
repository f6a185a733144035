import { cross, minus, plus, type Spot, times } from './plane.ts'

interface Meeting {
  readonly at: Spot
  /** How far along the first line and the second, from 0 to 1. */
  readonly along: number
  readonly alongOther: number
}

/** Where two lines meet. */
export function meetingOf([from, to]: readonly [Spot, Spot], [start, end]: readonly [Spot, Spot]): Meeting | undefined {
  const [way, other] = [minus(to, from), minus(end, start)]
  const turn = cross(way, other)
  if (turn === 0) return undefined
  const between = minus(start, from)
  const [along, alongOther] = [cross(between, other) / turn, cross(between, way) / turn]
  if (along < 0 || along > 1 || alongOther < 0 || alongOther > 1) return undefined
  return { at: plus(from, times(way, along)), along, alongOther }
}

/** Whether two sides of a ring cross, so that nobody could say what lies within. */
export function crossesItself(ring: readonly Spot[]): boolean {
  const sides = ring.map((from, at) => [from, ring[(at + 1) % ring.length] ?? from] as const)
  return sides.some((side, at) =>
    sides.some((other, otherAt) => {
      const isNext = Math.abs(at - otherAt) === 1 || Math.abs(at - otherAt) === sides.length - 1
      return otherAt > at && !isNext && meetingOf(side, other) !== undefined
    }),
  )
}
