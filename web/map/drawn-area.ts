import { areaKinds, type DrawnKind, kindOf } from '../look/place/area-kind.ts'
import { labelPlaceOf } from '../look/place/inside.ts'
import { type Extent, extentOf, onMap } from '../look/place/mercator.ts'
import { readWkt, wktOf } from '../look/place/shapes.ts'
import type { LocalRecord } from '../store/record.ts'

type Paths = readonly (readonly number[])[]

/** Geometry of an area in map metres. */
export interface DrawnArea {
  readonly id: string
  readonly name: string
  readonly kind: DrawnKind
  readonly areas: readonly Paths[]
  readonly lines: Paths
  readonly points: Paths
  readonly extent: Extent
  /** Position of the label. */
  readonly middle: readonly [number, number]
}

/** Undefined without a geometry. */
export function drawnArea(area: LocalRecord): DrawnArea | undefined {
  const shapes = wktOf(area).map(readWkt)
  const areas = shapes.flatMap((one) => one.areas.map((rings) => rings.map(onMap).map(wound)))
  const [lines, points] = [
    shapes.flatMap((one) => one.lines.map(onMap)),
    shapes.flatMap((one) => one.points.map(onMap)),
  ]
  const extent = extentOf([...areas.flat(), ...lines, ...points])
  if (extent === undefined) return undefined
  const { id, name } = area
  let middle: DrawnArea['middle'] | undefined
  return {
    id,
    name,
    kind: kindOf(area),
    areas,
    lines,
    points,
    extent,
    get middle() {
      middle ??= middleOf({ areas, lines, points })
      return middle
    },
  }
}

/** Outer rings and holes have opposite directions, so that areas painted in one path may overlap. */
function wound(ring: number[], index: number): readonly number[] {
  const isOuter = index === 0
  return isClockwise(ring) === isOuter ? turned(ring) : ring
}

function isClockwise(ring: readonly number[]): boolean {
  let twice = 0
  for (let at = 0; at + 3 < ring.length; at += 2)
    twice += ((ring[at + 2] as number) - (ring[at] as number)) * ((ring[at + 3] as number) + (ring[at + 1] as number))
  return twice > 0
}

function turned(ring: readonly number[]): number[] {
  const back: number[] = []
  for (let at = ring.length - 2; at >= 0; at -= 2) back.push(ring[at] as number, ring[at + 1] as number)
  return back
}

function middleOf({ areas, lines, points }: Pick<DrawnArea, 'areas' | 'lines' | 'points'>): readonly [number, number] {
  const widest = areas.map((rings) => ({ rings, size: sizeOf(rings) })).sort((one, other) => other.size - one.size)[0]
  if (widest !== undefined) return labelPlaceOf(widest.rings)
  const path = lines[0] ?? points[0] ?? []
  const at = 2 * Math.floor(path.length / 4)
  return [path[at] ?? 0, path[at + 1] ?? 0]
}

function sizeOf(rings: Paths): number {
  const [west, south, east, north] = extentOf(rings) ?? [0, 0, 0, 0]
  return (east - west) * (north - south)
}

/**
 * Drawing level: by type, and always above its parent. Levels of types are ten apart, so that a field in a building
 * is still below the next type.
 */
export function levelOf(area: LocalRecord, levelOfParent: number | undefined): number {
  const own = areaKinds.indexOf(kindOf(area)) * 10
  return levelOfParent === undefined ? own : Math.max(own, levelOfParent + 1)
}

/** Pixels: a smaller area inside another is not drawn. */
const leastArea = 6
/** Pixels: a smaller area has no name. */
const leastLabel = 44
const leastHeight = 14
/** Assumed size of a point, in map metres. */
const pointSize = 16

/** Apparent size: the side of a square with the area of its bounding box; for a line the longer side. */
export function pixelsOf(
  { extent: [west, south, east, north], areas }: Pick<DrawnArea, 'extent' | 'areas'>,
  resolution: number,
): number {
  const [width, height] = [(east - west) / resolution, (north - south) / resolution]
  if (areas.length > 0) return Math.sqrt(width * height)
  return Math.max(width, height, pointSize / resolution)
}

/** More areas would slow down panning. */
const mostAreas = 2_000

/** Smallest size to draw, so that at most `mostAreas` are drawn; smaller ones appear when zooming in. */
export function smallestVisible(pixels: readonly number[]): number {
  let least = leastArea
  while (pixels.filter((one) => one >= least && one < Infinity).length > mostAreas) least *= 1.25
  return least
}

export const isDrawn = (pixels: number, standing: 'top' | 'below'): boolean => standing === 'top' || pixels >= leastArea

/** A name needs a height of one or several lines of text: beds are long and narrow. */
export function hasLabel({ extent, areas, lines }: DrawnArea, resolution: number): boolean {
  const pixels = pixelsOf({ extent, areas }, resolution)
  if (areas.length + lines.length === 0) return pixels >= leastArea
  const height = (extent[3] - extent[1]) / resolution
  return pixels >= leastLabel && (lines.length > 0 || height >= leastHeight)
}
