/** A point of the demo farm in metres east and north of its south-western corner. */
export type FarmPoint = readonly [east: number, north: number]

const corner = { longitude: 8.2412, latitude: 47.0986 }
/** The farm is rotated a little, as real farms are. */
const turn = (8 * Math.PI) / 180
const metresPerDegree = 111_320

function coordinates([east, north]: FarmPoint): string {
  const x = east * Math.cos(turn) - north * Math.sin(turn)
  const y = east * Math.sin(turn) + north * Math.cos(turn)
  const latitude = corner.latitude + y / metresPerDegree
  const longitude = corner.longitude + x / (metresPerDegree * Math.cos((corner.latitude * Math.PI) / 180))
  return `${longitude.toFixed(6)} ${latitude.toFixed(6)}`
}

export const point = (at: FarmPoint): string => `POINT (${coordinates(at)})`

export const line = (points: readonly FarmPoint[]): string => `LINESTRING (${points.map(coordinates).join(', ')})`

export function polygon(corners: readonly [FarmPoint, ...FarmPoint[]]): string {
  return `POLYGON ((${[...corners, corners[0]].map(coordinates).join(', ')}))`
}

/** A rectangle by two opposite corners. */
export const plot = ([west, south]: FarmPoint, [east, north]: FarmPoint): string =>
  polygon([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ])
