import { type Extent, joined, onMap } from './mercator.ts'

/** The paper of a small plan: which part of the ground is on it, and where places fall. */
export interface Paper {
  readonly width: number
  readonly height: number
  readonly extent: Extent
  /** Metres of the map in a pixel. */
  readonly resolution: number
}

type Place = readonly [number, number]

interface Format {
  readonly width: number
  readonly height: number
}

const leastMetres = 40

/** With room for what lies around; less of it where the way from another area has to be on it, too. */
export function paperAround(drawn: Extent, from: Extent | undefined, { width, height }: Format): Paper {
  const [west, south, east, north] = from === undefined ? drawn : joined(drawn, from)
  const tight = Math.max((east - west) / width, (north - south) / height, leastMetres / height)
  const resolution = tight * (from === undefined ? 1.5 : 1.25)
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const [halfWidth, halfHeight] = [(resolution * width) / 2, (resolution * height) / 2]
  return { width, height, resolution, extent: [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight] }
}

/** From metres of the map to pixels. */
export const onPaper = ({ extent, resolution }: Paper, x: number, y: number): Place => [
  rounded((x - extent[0]) / resolution),
  rounded((extent[3] - y) / resolution),
]

/** A ring or a line as the `d` of a path. */
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
