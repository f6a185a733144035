import { type Extent, stretchAt } from '../look/place/mercator.ts'

interface GridLine {
  /** In metres of the map. */
  readonly at: number
  /** The last two digits of the hundreds of metres, as on a survey map. */
  readonly number: string
}

interface Grid {
  readonly metres: number
  readonly upright: readonly GridLine[]
  readonly level: readonly GridLine[]
}

const leastPixels = 24

/** Squares of 100 m on the ground, or of ten times more where those would be too small to see. */
export function gridOf(
  extent: Extent,
  { resolution, anchor }: { readonly resolution: number; readonly anchor: number },
): Grid {
  const stretch = stretchAt(anchor)
  let metres = 100
  while ((metres * stretch.east) / resolution < leastPixels) metres *= 10
  return {
    metres,
    upright: linesBetween([extent[0], extent[2]], metres * stretch.east),
    level: linesBetween([extent[1], extent[3]], metres * stretch.north),
  }
}

function linesBetween([from, to]: readonly [number, number], step: number): readonly GridLine[] {
  const lines: GridLine[] = []
  for (let count = Math.ceil(from / step); count * step <= to; count++)
    lines.push({ at: count * step, number: String(((count % 100) + 100) % 100).padStart(2, '0') })
  return lines
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]
const feet = 0.3048
const mile = 1609.344

export interface ScaleBar {
  readonly pixels: number
  readonly amount: number
  readonly unit: 'm' | 'km' | 'ft' | 'mi'
}

/** The longest round length that fits into the pixels given. */
export function scaleBar(
  metresPerPixel: number,
  { most, units }: { readonly most: number; readonly units: 'metric' | 'us' },
): ScaleBar {
  const longest = most * metresPerPixel
  const fitting = (unit: number): number | undefined => steps.findLast((step) => step * unit <= longest)
  const bar = (amount: number, unit: ScaleBar['unit'], length: number): ScaleBar => ({
    pixels: (amount * length) / metresPerPixel,
    amount,
    unit,
  })
  if (units === 'metric') {
    const metres = fitting(1) ?? 1
    return metres >= 1000 ? bar(metres / 1000, 'km', 1000) : bar(metres, 'm', 1)
  }
  const miles = fitting(mile)
  return miles === undefined ? bar(fitting(feet) ?? 1, 'ft', feet) : bar(miles, 'mi', mile)
}
