import type { ShapePath } from './shapes.ts'

const radius = 6_378_137
const squared = 0.006_694_379_990_14
const degree = Math.PI / 180

/** West, south, east, north. */
export type Extent = readonly [number, number, number, number]

/** Converts longitude and latitude to web map metres (EPSG:3857), which are longer than metres on the ground. */
export function onMap(path: ShapePath): number[] {
  const onIt: number[] = []
  for (let at = 0; at + 1 < path.length; at += 2)
    onIt.push((path[at] as number) * degree * radius, northOf(path[at + 1] as number))
  return onIt
}

const northOf = (latitude: number): number =>
  radius * Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, latitude)) * degree) / 2))

export const latitudeOf = (north: number): number => (2 * Math.atan(Math.exp(north / radius)) - Math.PI / 2) / degree

export const inDegrees = ([west, south, east, north]: Extent): Extent => [
  west / radius / degree,
  latitudeOf(south),
  east / radius / degree,
  latitudeOf(north),
]

/** Map metres per ground metre, to the east and to the north. */
export function stretchAt(north: number): { readonly east: number; readonly north: number } {
  const latitude = latitudeOf(north) * degree
  const flat = 1 - squared * Math.sin(latitude) ** 2
  const cosine = Math.cos(latitude)
  return { east: Math.sqrt(flat) / cosine, north: flat ** 1.5 / ((1 - squared) * cosine) }
}

export function extentOf(paths: Iterable<readonly number[]>): Extent | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const path of paths) {
    for (let at = 0; at + 1 < path.length; at += 2) {
      const [x, y] = [path[at] as number, path[at + 1] as number]
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
  }
  return west <= east ? [west, south, east, north] : undefined
}

export const joinedExtent = (one: Extent, other: Extent): Extent => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

export const touches = (one: Extent, other: Extent): boolean =>
  one[0] <= other[2] && one[2] >= other[0] && one[1] <= other[3] && one[3] >= other[1]
