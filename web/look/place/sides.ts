import { metresBetween } from '../../../src/fields/wkt/size.ts'
import type { KeptRecord } from '../../store/types.ts'
import { figure } from '../../words/format.ts'
import { usesAcres } from './area-size.ts'
import { FreeSpace } from './free-space.ts'
import { middleOnPaper } from './names-on-paper.ts'
import { type Paper, pointOnPaper } from './paper.ts'
import { say } from './say.ts'
import { shapesOf } from './shapes.ts'

interface SideOnPaper {
  readonly length: string
  readonly left: number
  readonly top: number
}

const leastPixels = 56
const letter = 8
const inwards = 22
const foot = 0.3048

type Corner = readonly [number, number]

/** How long the sides of an area are, inside it, where there is room for it. */
export function sidesOn(paper: Paper, area: KeptRecord): readonly SideOnPaper[] {
  const ring = shapesOf(area).areas[0]?.[0] ?? []
  const corners = Array.from({ length: ring.length / 2 }, (_, at): Corner => [ring[2 * at] ?? 0, ring[2 * at + 1] ?? 0])
  const middle = middleOnPaper(paper, area)
  const space = new FreeSpace()
  return corners.slice(1).flatMap((corner, before) => {
    const side = sideOnPaper({ paper, from: corners[before] ?? corner, to: corner, middle })
    const half = ((side?.length.length ?? 0) * letter) / 2
    const isFree = side && space.take([side.left - half, side.top - 14, side.left + half, side.top + 4])
    return isFree ? [side] : []
  })
}

interface Side {
  readonly paper: Paper
  readonly from: Corner
  readonly to: Corner
  readonly middle: Corner
}

function sideOnPaper({ paper, from, to, middle }: Side): SideOnPaper | undefined {
  const [[left, top], [right, bottom]] = [pointOnPaper(paper, from), pointOnPaper(paper, to)]
  if (Math.hypot(right - left, bottom - top) < leastPixels) return undefined
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const far = Math.hypot(middle[0] - x, middle[1] - y)
  const step = far === 0 ? 0 : inwards / far
  return {
    length: lengthText(metresBetween(from, to)),
    left: x + (middle[0] - x) * step * 1.4,
    top: y + (middle[1] - y) * step + 5,
  }
}

function lengthText(metres: number): string {
  return usesAcres()
    ? say('place.feet', { amount: figure(metres / foot) })
    : say('place.metres', { amount: figure(metres, metres < 10 ? 1 : 0) })
}
