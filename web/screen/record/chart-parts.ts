interface ChartPoint {
  readonly at: number
  readonly value: number
}

interface ChartParts {
  /** Pixels of a drawing that is `width` wide and `height` high. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly lines: readonly { readonly y: number; readonly value: number }[]
}

interface Frame {
  readonly width: number
  readonly height: number
  /** Room around the points, so that none is cut. */
  readonly inset: number
}

/** Where each point stands, and two or three round values to read them by. */
export function chartParts(points: readonly ChartPoint[], { width, height, inset }: Frame): ChartParts {
  const [first = 0, last = 0] = [points[0]?.at, points.at(-1)?.at]
  const values = points.map(({ value }) => value)
  const low = Math.min(...values)
  const high = Math.max(...values)
  const across = (at: number) => inset + (last === first ? 0.5 : (at - first) / (last - first)) * (width - 2 * inset)
  const up = (value: number) =>
    height - inset - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * inset)
  return {
    points: points.map(({ at, value }) => ({ x: across(at), y: up(value) })),
    lines: roundValues(low, high).map((value) => ({ y: up(value), value })),
  }
}

/** Two to four values in the range, a round step apart: 600, 640. */
export function roundValues(low: number, high: number): readonly number[] {
  if (!(high > low)) return [low]
  const rough = (high - low) / 2
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = size * ([5, 2, 1].find((factor) => factor * size <= rough) ?? 1)
  const from = Math.ceil(low / step - 1e-9)
  const to = Math.floor(high / step + 1e-9)
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)))
}
