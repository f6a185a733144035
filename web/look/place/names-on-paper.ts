import type { KeptRecord } from '../../store/record.ts'
import { type AreaKind, kindOf } from './area-kind.ts'
import { FreeSpace } from './free-space.ts'
import { labelPlaceOf } from './inside.ts'
import { onMap } from './mercator.ts'
import { onPaper, type Paper, pointOnPaper } from './paper.ts'
import { shapesOf } from './shapes.ts'
import { extentOnMap } from './surroundings.ts'

interface NameOnPaper {
  readonly name: string
  readonly kind: AreaKind
  readonly left: number
  readonly top: number
}

const leastPixels = 44
const lineHeight = 18
/** About as wide as a letter of the serif is. */
const letter = 8

/** The names that have room; the chosen area has its name in any case. */
export function namesOn(paper: Paper, areas: readonly KeptRecord[], chosen?: KeptRecord): readonly NameOnPaper[] {
  const space = new FreeSpace()
  return [...new Set(areas)].flatMap((area) => {
    const kind = kindOf(area)
    if (area !== chosen && (kind === 'property' || sideOf(paper, area) < leastPixels)) return []
    const [left, top] = middleOnPaper(paper, area)
    const half = (area.name.length * letter) / 2
    const fits = left > half && left < paper.width - half && top > lineHeight && top < paper.height - 6
    if (!fits || !space.take([left - half, top - lineHeight, left + half, top + 4])) return []
    return [{ name: area.name, kind, left, top }]
  })
}

function sideOf({ resolution }: Paper, area: KeptRecord): number {
  const [west, south, east, north] = extentOnMap(area) ?? [0, 0, 0, 0]
  return Math.sqrt((east - west) * (north - south)) / resolution
}

export function middleOnPaper(paper: Paper, area: KeptRecord): readonly [number, number] {
  const { areas, lines, points } = shapesOf(area)
  const [rings] = areas
  if (rings !== undefined) return onPaper(paper, ...labelPlaceOf(rings.map(onMap)))
  return pointOnPaper(paper, lines[0] ?? points[0] ?? [0, 0])
}
