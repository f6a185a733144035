import { touches } from '../../look/place/mercator.ts'
import type { DrawnArea } from '../drawn-area.ts'
import type { MapSpot } from './corners.ts'

const reach = 12

export interface Aim {
  readonly at: MapSpot
  /** The area whose corner or side has drawn it to itself. */
  readonly to: string | null
}

/** A corner of a neighbour within reach, else the nearest place of its sides; where nothing is near, the spot itself. */
export function snapped(spot: MapSpot, areas: readonly DrawnArea[], resolution: number): Aim {
  const within = reach * resolution
  const [x, y] = spot
  const near = areas.filter(({ extent }) => touches(extent, [x - within, y - within, x + within, y + within]))
  const corner = nearest(spot, within, near, cornersIn)
  return corner ?? nearest(spot, within, near, placesOnSides) ?? { at: spot, to: null }
}

type Places = (path: readonly number[], spot: MapSpot) => readonly MapSpot[]

function nearest(spot: MapSpot, within: number, areas: readonly DrawnArea[], places: Places): Aim | undefined {
  let [best, least]: [Aim | undefined, number] = [undefined, within]
  for (const { name, areas: parts, lines, points } of areas)
    for (const path of [...parts.flat(), ...lines, ...points])
      for (const at of places(path, spot)) {
        const distance = Math.hypot(at[0] - spot[0], at[1] - spot[1])
        if (distance <= least) [best, least] = [{ at, to: name }, distance]
      }
  return best
}

const cornersIn: Places = (path) => path.flatMap((x, at) => (at % 2 === 0 ? [[x, path[at + 1] ?? 0] as const] : []))

const placesOnSides: Places = (path, [x, y]) => {
  const corners = cornersIn(path, [x, y])
  return corners.slice(1).map(([x2, y2], at) => {
    const [x1, y1] = corners[at] ?? [x2, y2]
    const long = (x2 - x1) ** 2 + (y2 - y1) ** 2
    const share = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / long))
    return [x1 + share * (x2 - x1), y1 + share * (y2 - y1)]
  })
}
