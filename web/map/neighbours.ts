import type { DrawnArea } from './drawn-area.ts'

export interface Neighbours {
  readonly west?: DrawnArea
  readonly east?: DrawnArea
}

/**
 * The areas beside one, to the west and to the east, among those that stand on the same level (paddocks beside a paddock). What lies straight
 * beside counts as nearer than what lies askew; those who go on to the east come back by going to the west where the land allows it.
 */
export function neighboursOf(area: DrawnArea, candidates: Iterable<DrawnArea>): Neighbours {
  const found: { west?: DrawnArea; east?: DrawnArea } = {}
  const least = { west: Infinity, east: Infinity }
  for (const other of candidates) {
    if (other.id === area.id) continue
    const side = isWestOf(other, area) ? 'west' : 'east'
    const distance = distanceBetween(area, other)
    if (distance >= least[side]) continue
    least[side] = distance
    found[side] = other
  }
  return found
}

/** Straight above one another the lower one lies west: one has to. */
const isWestOf = (one: DrawnArea, other: DrawnArea): boolean =>
  one.middle[0] === other.middle[0] ? one.middle[1] < other.middle[1] : one.middle[0] < other.middle[0]

const distanceBetween = (one: DrawnArea, other: DrawnArea): number =>
  Math.hypot(one.middle[0] - other.middle[0], 2 * (one.middle[1] - other.middle[1]))
