import { areas, terms } from '../../store/local-copy.ts'
import { idsIn, isArchived, type LocalRecord } from '../../store/record.ts'
import { areaKinds, type DrawnKind, kindOf } from './area-kind.ts'
import { FreeSpace } from './free-space.ts'
import { labelPlaceOf } from './inside.ts'
import { type Extent, extentOf, inDegrees, joinedExtent, onMap, touches } from './mercator.ts'
import { shapesOf, wktOf } from './shapes.ts'

/** Viewport of a small plan: its extent, and the projection to pixels. */
export interface Paper {
  readonly width: number
  readonly height: number
  readonly extent: Extent
  /** Map metres per pixel. */
  readonly resolution: number
}

type Place = readonly [number, number]

interface Format {
  readonly width: number
  readonly height: number
}

const leastMetres = 40

/** Adds a margin around the area; smaller if another area has to fit. */
export function paperAround(bounds: Extent, from: Extent | undefined, { width, height }: Format): Paper {
  const [west, south, east, north] = from === undefined ? bounds : joinedExtent(bounds, from)
  const tight = Math.max((east - west) / width, (north - south) / height, leastMetres / height)
  const resolution = tight * (from === undefined ? 1.5 : 1.25)
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const [halfWidth, halfHeight] = [(resolution * width) / 2, (resolution * height) / 2]
  return { width, height, resolution, extent: [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight] }
}

/** Converts map metres to pixels. */
export const onPaper = ({ extent, resolution }: Paper, x: number, y: number): Place => [
  rounded((x - extent[0]) / resolution),
  rounded((extent[3] - y) / resolution),
]

/** `d` attribute of a ring or line. */
export function pathOnPaper(paper: Paper, path: readonly number[]): string {
  const onIt = onMap(path)
  const corners: string[] = []
  for (let at = 0; at + 1 < onIt.length; at += 2)
    corners.push(onPaper(paper, onIt[at] as number, onIt[at + 1] as number).join(' '))
  return corners.length === 0 ? '' : `M${corners.join('L')}`
}

export function pointOnPaper(paper: Paper, [longitude = 0, latitude = 0]: readonly number[]): Place {
  const [x = 0, y = 0] = onMap([longitude, latitude])
  return onPaper(paper, x, y)
}

const rounded = (pixels: number): number => Math.round(pixels * 10) / 10

const mostAreas = 120

/** Areas near an area, with those it lies in, in drawing order; if too many, the lowest ones. */
export function areasAround(extent: Extent, area?: LocalRecord): readonly LocalRecord[] {
  const around = new Set(area === undefined ? [] : [...ancestorsOf(area), area])
  const nearby = inDegrees(wider(extent))
  const near = areas().filter((other) => beginsIn(nearby, other) && !isArchived(other))
  for (const other of lowestFirst(near)) {
    if (around.size >= mostAreas) break
    if (touches(extentOnMap(other) ?? nowhere, extent)) around.add(other)
  }
  return lowestFirst([...around])
}

const nowhere: Extent = [0, 0, -1, -1]

const lowestFirst = (some: readonly LocalRecord[]): readonly LocalRecord[] =>
  areaKinds.flatMap((kind) => some.filter((area) => kindOf(area) === kind))

export function extentOnMap(area: LocalRecord): Extent | undefined {
  const { points, lines, areas: insides } = shapesOf(area)
  return extentOf([...points, ...lines, ...insides.flat()].map(onMap))
}

function ancestorsOf(area: LocalRecord): LocalRecord[] {
  const above: LocalRecord[] = []
  let parent = terms.value.get(idsIn(area.fields.parent)[0] ?? '')
  while (parent !== undefined && parent !== area && !above.includes(parent)) {
    above.push(parent)
    parent = terms.value.get(idsIn(parent.fields.parent)[0] ?? '')
  }
  return above
}

/** Checks only the first corner of each geometry: of thousands of areas few are near. */
function beginsIn([west, south, east, north]: Extent, area: LocalRecord): boolean {
  return wktOf(area).some((wkt) => {
    const [, longitude, latitude] = firstCorner.exec(wkt) ?? []
    const [x, y] = [Number(longitude), Number(latitude)]
    return x >= west && x <= east && y >= south && y <= north
  })
}

const firstCorner = /(-?[\d.]+)\s+(-?[\d.]+)/

function wider([west, south, east, north]: Extent): Extent {
  const [width, height] = [east - west, north - south]
  return [west - width, south - height, east + width, north + height]
}

interface NameOnPaper {
  readonly name: string
  readonly kind: DrawnKind
  readonly left: number
  readonly top: number
}

const leastPixels = 44
const lineHeight = 18
/** Average width of a serif letter in pixels. */
const letter = 8

/** Names that fit; the chosen area is always named. */
export function namesOn(paper: Paper, areas: readonly LocalRecord[], chosen?: LocalRecord): readonly NameOnPaper[] {
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

function sideOf({ resolution }: Paper, area: LocalRecord): number {
  const [west, south, east, north] = extentOnMap(area) ?? [0, 0, 0, 0]
  return Math.sqrt((east - west) * (north - south)) / resolution
}

export function middleOnPaper(paper: Paper, area: LocalRecord): readonly [number, number] {
  const { areas, lines, points } = shapesOf(area)
  const [rings] = areas
  if (rings !== undefined) return onPaper(paper, ...labelPlaceOf(rings.map(onMap)))
  return pointOnPaper(paper, lines[0] ?? points[0] ?? [0, 0])
}
