import type { DrawnArea } from './drawn-area.ts'

/** Smaller than this, an area that lies in another is not drawn. */
const leastArea = 6
/** Smaller than this, an area has no name on the map. */
const leastLabel = 44
const leastHeight = 14
/** What a point stands for has some size on the ground, in metres of the map. */
const pointSize = 16

/** How large an area looks: the side of a square with the size of its rectangle; for a line its longer side. */
export function pixelsOf(
  { extent: [west, south, east, north], areas }: Pick<DrawnArea, 'extent' | 'areas'>,
  resolution: number,
): number {
  const [width, height] = [(east - west) / resolution, (north - south) / resolution]
  if (areas.length > 0) return Math.sqrt(width * height)
  return Math.max(width, height, pointSize / resolution)
}

/** More areas than this would take longer to draw than a finger waits for. */
const mostAreas = 2_000

/** From which size on areas are drawn, so that there are not too many of them: the smaller ones have to wait until one comes closer. */
export function leastSeen(pixels: readonly number[]): number {
  let least = leastArea
  while (pixels.filter((one) => one >= least && one < Infinity).length > mostAreas) least *= 1.25
  return least
}

export const isDrawn = (pixels: number, standing: 'top' | 'below'): boolean => standing === 'top' || pixels >= leastArea

/** A name needs an area that is as high as a line of text, or several: beds are long and narrow. */
export function hasLabel({ extent, areas, lines }: DrawnArea, resolution: number): boolean {
  const pixels = pixelsOf({ extent, areas }, resolution)
  if (areas.length + lines.length === 0) return pixels >= leastArea
  const height = (extent[3] - extent[1]) / resolution
  return pixels >= leastLabel && (lines.length > 0 || height >= leastHeight)
}
