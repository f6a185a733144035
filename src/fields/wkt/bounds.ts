import type { PositionTexts } from './geometry.ts'

/** The smallest rectangle of longitudes and latitudes that holds a geometry. */
export interface GeometryBounds {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** Undefined without a position. */
export function boundsOf(positions: readonly PositionTexts[]): GeometryBounds | undefined {
  let [left, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let [right, top] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const position of positions) {
    const { lon, lat } = placeOf(position)
    left = Math.min(left, lon)
    right = Math.max(right, lon)
    bottom = Math.min(bottom, lat)
    top = Math.max(top, lat)
  }
  return left <= right ? { left, bottom, right, top } : undefined
}

/** A place on the map, in degrees. */
export interface GeometryPlace {
  readonly lon: number
  readonly lat: number
}

/** A zero has no sign. */
export const placeOf = ([lon, lat]: PositionTexts): GeometryPlace => ({ lon: Number(lon) + 0, lat: Number(lat) + 0 })
