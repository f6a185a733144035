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

const digits = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Some four centimetres. */
const mostDigits = 12

/** The smallest cell of the geohash grid that holds all of it; no digit at all where only the whole world does. */
export function geohashOf({ left, bottom, right, top }: GeometryBounds): string {
  const [low, high] = [cellOf({ lon: left, lat: bottom }), cellOf({ lon: right, lat: top })]
  let length = 0
  while (length < mostDigits && low[length] === high[length]) length++
  return low.slice(0, length)
}

/** Each digit is five halvings, of longitudes and latitudes in turn. */
function cellOf(place: GeometryPlace): string {
  const lon = { number: place.lon, low: -180, high: 180 }
  const lat = { number: place.lat, low: -90, high: 90 }
  let cell = ''
  let digit = 0
  for (let bit = 0; bit < mostDigits * 5; bit++) {
    digit = digit * 2 + upperHalf(bit % 2 === 0 ? lon : lat)
    if (bit % 5 < 4) continue
    cell += digits[digit]
    digit = 0
  }
  return cell
}

/** Cuts the range to the half that the number lies in: 1 is the upper one. */
function upperHalf(range: { readonly number: number; low: number; high: number }): 0 | 1 {
  const middle = (range.low + range.high) / 2
  if (range.number >= middle) {
    range.low = middle
    return 1
  }
  range.high = middle
  return 0
}
