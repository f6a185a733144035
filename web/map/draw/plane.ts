import { metresBetween } from '../../../src/fields/wkt/size.ts'
import { type Corner, rounded } from './corners.ts'

/** Metres to the east and to the north of where the plane touches the ground. */
export type Spot = readonly [east: number, north: number]

/** A plane that touches the ground, in which a metre is a metre: maps stretch theirs. It is right as far as a farm reaches. */
export interface Plane {
  readonly onPlane: (corner: Corner) => Spot
  readonly onGround: (spot: Spot) => Corner
}

export function planeAt([longitude, latitude]: Corner): Plane {
  const metresEast = metresBetween([longitude - half, latitude], [longitude + half, latitude]) / (2 * half)
  const metresNorth = metresBetween([longitude, latitude - half], [longitude, latitude + half]) / (2 * half)
  return {
    onPlane: (corner) => [(corner[0] - longitude) * metresEast, (corner[1] - latitude) * metresNorth],
    onGround: ([east, north]) => rounded([longitude + east / metresEast, latitude + north / metresNorth]),
  }
}

const half = 0.001

/** A plane that touches the ground in the middle of some corners. */
export function planeOf(corners: readonly Corner[]): Plane {
  const [longitudes, latitudes] = [corners.map(([one]) => one), corners.map(([, one]) => one)]
  return planeAt([middleOf(longitudes), middleOf(latitudes)])
}

const middleOf = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2

export const plus = ([east, north]: Spot, by: Spot): Spot => [east + by[0], north + by[1]]
export const minus = ([east, north]: Spot, by: Spot): Spot => [east - by[0], north - by[1]]
export const times = ([east, north]: Spot, factor: number): Spot => [east * factor, north * factor]
export const dot = (one: Spot, other: Spot): number => one[0] * other[0] + one[1] * other[1]
export const cross = (one: Spot, other: Spot): number => one[0] * other[1] - one[1] * other[0]
