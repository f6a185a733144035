/** Longitudes and latitudes in turn, in degrees (WGS 84). */
type Path = readonly number[]

/** Each the outer ring, then its holes. The app reckons with this file, too. */
interface PolygonPaths {
  readonly areas: readonly (readonly Path[])[]
}

/** WGS 84: half the equator's diameter in metres, and the square of the eccentricity. */
const radius = 6_378_137
const squared = 0.006_694_379_990_14
const eccentricity = Math.sqrt(squared)

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The outer rings less their holes, on the ellipsoid: no matter which way round they were drawn. */
export function squareMetresOf({ areas }: PolygonPaths): number {
  return areas.reduce((sum, rings) => {
    const [outer = 0, ...holes] = rings.map(squareMetresWithin)
    return sum + Math.max(0, outer - holes.reduce((all, hole) => all + hole, 0))
  }, 0)
}

/** The shoelace formula in Lambert's cylindrical projection, in which all areas keep their size (EPSG:6933 without its stretch). */
function squareMetresWithin(ring: Path): number {
  const origin = heightOf(ring[1] ?? 0)
  let twice = 0
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [fromLongitude = 0, fromLatitude = 0, toLongitude = 0, toLatitude = 0] = ring.slice(at, at + 4)
    twice += radians(toLongitude - fromLongitude) * (heightOf(fromLatitude) + heightOf(toLatitude) - 2 * origin)
  }
  return (Math.abs(twice) * radius * radius) / 2
}

/** The height of a latitude in that projection, in radii (Snyder, Map Projections, formula 3-12, halved). */
function heightOf(latitude: number): number {
  const sine = Math.sin(radians(latitude))
  const part = eccentricity * sine
  return ((1 - squared) / 2) * (sine / (1 - part * part) + Math.atanh(part) / eccentricity)
}

/** The length of a side. It is reckoned in the plane that touches the ground in its middle, so it has to be short beside the Earth. */
export function metresBetween([longitude, latitude]: readonly [number, number], to: readonly [number, number]): number {
  const middle = radians((latitude + to[1]) / 2)
  const flat = 1 - squared * Math.sin(middle) ** 2
  const east = radians(to[0] - longitude) * Math.cos(middle) * (radius / Math.sqrt(flat))
  const north = radians(to[1] - latitude) * ((radius * (1 - squared)) / flat ** 1.5)
  return Math.hypot(east, north)
}
