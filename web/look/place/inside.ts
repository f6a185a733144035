type Rings = readonly (readonly number[])[]

/** True inside the outer ring and outside of all holes. */
export function isInside(rings: Rings, x: number, y: number): boolean {
  let inside = false
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const [x1, y1] = [ring[at] as number, ring[at + 1] as number]
      const [x2, y2] = [ring[at + 2] as number, ring[at + 3] as number]
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
    }
  }
  return inside
}

/**
 * Label position: centre of the outer ring; if that is outside (an L-shaped area), the centre of the longest chord at
 * its height.
 */
export function labelPlaceOf(rings: Rings): readonly [number, number] {
  const [x, y] = middleOf(rings[0] ?? [])
  if (isInside(rings, x, y)) return [x, y]
  const crossings = crossingsAt(rings, y)
  let [best, widest] = [x, 0]
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [from, to] = [crossings[at] as number, crossings[at + 1] as number]
    if (to - from > widest) [best, widest] = [(from + to) / 2, to - from]
  }
  return [best, y]
}

function crossingsAt(rings: Rings, y: number): number[] {
  const crossings: number[] = []
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const [x1, y1] = [ring[at] as number, ring[at + 1] as number]
      const [x2, y2] = [ring[at + 2] as number, ring[at + 3] as number]
      if (y1 > y !== y2 > y) crossings.push(((x2 - x1) * (y - y1)) / (y2 - y1) + x1)
    }
  }
  return crossings.sort((one, other) => one - other)
}

function middleOf(ring: readonly number[]): readonly [number, number] {
  const [left = 0, low = 0] = ring
  let [weight, east, north] = [0, 0, 0]
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x1, y1] = [(ring[at] as number) - left, (ring[at + 1] as number) - low]
    const [x2, y2] = [(ring[at + 2] as number) - left, (ring[at + 3] as number) - low]
    const cross = x1 * y2 - x2 * y1
    weight += cross
    east += (x1 + x2) * cross
    north += (y1 + y2) * cross
  }
  return weight === 0 ? [left, low] : [left + east / (3 * weight), low + north / (3 * weight)]
}
