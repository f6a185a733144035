type Point = readonly [number, number]

const known =
  /^\s*(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)\s*(\(.*\)|EMPTY)\s*$/is

/** `POINT(1 2)` is read as `POINT (1 2)`; what is no geometry stays as it was sent. */
export function normalised(wkt: string): string {
  const [, kind, body] = known.exec(wkt) ?? []
  return kind === undefined ? wkt : `${kind.toUpperCase()} ${body}`
}

/** One item of a `geofield`. */
export function geofieldItem(stored: string): Record<string, unknown> {
  const geom = normalised(stored)
  const points = pointsOf(geom)
  const [kind = ''] = /^[A-Z]+(?= )/.exec(geom) ?? []
  if (kind === '' || points.length === 0) return { geom, ...nothingKnown, geo_type: kind.toLowerCase() }
  const [left, right] = extent(points.map(([x]) => x))
  const [bottom, top] = extent(points.map(([, y]) => y))
  const [lon, lat] = kind === 'POLYGON' ? centre(points) : [(left + right) / 2, (bottom + top) / 2]
  const corners = [left, bottom, left, top, right, top, right, bottom, left, bottom]
  return {
    geom,
    geo_type: kind.toLowerCase(),
    lat: lat.toFixed(12),
    lon: lon.toFixed(12),
    left: left.toFixed(12),
    top: top.toFixed(12),
    right: right.toFixed(12),
    bottom: bottom.toFixed(12),
    srid: null,
    latlon: `${lat.toFixed(12)},${lon.toFixed(12)}`,
    schemaorg_shape: kind === 'POLYGON' ? inPairs(corners) : '',
  }
}

const nothingKnown = {
  lat: null,
  lon: null,
  left: null,
  top: null,
  right: null,
  bottom: null,
  srid: null,
  latlon: ',',
  schemaorg_shape: '',
}

const inPairs = (numbers: readonly number[]): string =>
  numbers.map((number, index) => `${index === 0 ? '' : index % 2 === 1 ? ',' : ' '}${number.toFixed(12)}`).join('')

const pointsOf = (wkt: string): Point[] =>
  [...wkt.matchAll(/(-?\d+(?:\.\d+)?(?:e-?\d+)?) (-?\d+(?:\.\d+)?(?:e-?\d+)?)/gi)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])

const extent = (numbers: readonly number[]): readonly [number, number] => [Math.min(...numbers), Math.max(...numbers)]

/** The centroid of the first ring. */
function centre(points: readonly Point[]): Point {
  let [doubleArea, sumX, sumY] = [0, 0, 0]
  points.forEach(([x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y]
    const cross = x * nextY - nextX * y
    doubleArea += cross
    sumX += (x + nextX) * cross
    sumY += (y + nextY) * cross
  })
  if (doubleArea === 0) return points[0] ?? [0, 0]
  return [sumX / (3 * doubleArea), sumY / (3 * doubleArea)]
}

/** What a movement or a log gets that names areas and no geometry: the geometries of its areas in one. */
export function combined(geometries: readonly string[]): string | undefined {
  const [first, ...others] = geometries.map(normalised)
  if (first === undefined || others.length === 0) return first
  const all = [first, ...others]
  const kinds = new Set(all.map((wkt) => wkt.slice(0, wkt.indexOf(' '))))
  const [kind] = kinds
  if (kinds.size > 1 || kind?.startsWith('MULTI') === true) return `GEOMETRYCOLLECTION (${all.join(', ')})`
  return `MULTI${kind} (${all.map((wkt) => wkt.slice(wkt.indexOf(' ') + 1)).join(', ')})`
}
