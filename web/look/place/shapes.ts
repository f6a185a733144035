import type { LocalRecord } from '../../store/record.ts'

const read = new WeakMap<object, DrawnShapes>()

/** All geometries of an area; parsed once per record. */
export function shapesOf({ fields }: Pick<LocalRecord, 'fields'>): DrawnShapes {
  const known = read.get(fields)
  if (known !== undefined) return known
  const all = wktOf({ fields }).map(readWkt)
  const shapes = {
    points: all.flatMap(({ points }) => points),
    lines: all.flatMap(({ lines }) => lines),
    areas: all.flatMap(({ areas }) => areas),
  }
  read.set(fields, shapes)
  return shapes
}

/** An area has any number of geometries, often none. */
export function wktOf({ fields }: Pick<LocalRecord, 'fields'>): readonly string[] {
  const written = fields.geofield
  return (Array.isArray(written) ? written : [written]).flatMap((one) =>
    typeof one?.geom === 'string' ? [one.geom] : [],
  )
}

/** Alternating longitudes and latitudes in degrees (WGS 84). */
export type ShapePath = readonly number[]

/** A polygon is its outer ring, then its holes. */
export interface DrawnShapes {
  readonly points: readonly ShapePath[]
  readonly lines: readonly ShapePath[]
  readonly areas: readonly (readonly ShapePath[])[]
}

/** Parses well-known text (WKT). Ignores Z and M values; invalid text yields nothing. */
export function readWkt(wkt: string): DrawnShapes {
  const shapes = { points: [] as ShapePath[], lines: [] as ShapePath[], areas: [] as ShapePath[][] }
  for (const [, word = '', , body = ''] of wkt.toUpperCase().replaceAll('EMPTY', '').matchAll(tagged)) {
    const paths = [...body.matchAll(innermost)].map(([, positions = '']) => pathOf(positions))
    if (word === 'POINT' || word === 'MULTIPOINT') shapes.points.push(...paths.flatMap(eachPosition))
    else if (word.endsWith('LINESTRING')) shapes.lines.push(...paths)
    else if (word === 'POLYGON') shapes.areas.push(paths)
    else shapes.areas.push(...polygonsOf(body))
  }
  return shapes
}

const tagged = /\b((?:MULTI)?(?:POINT|LINESTRING|POLYGON))(\s*Z?M?)\s*(\([^A-DF-Z]*\))/g
const pair = /(\S+)\s+(\S+)/
const innermost = /\(([^()]+)\)/g

const polygonsOf = (body: string): ShapePath[][] =>
  body
    .split(/\)\s*\)\s*,/)
    .map((polygon) => [...polygon.matchAll(/\(([^()]+)/g)].map(([, positions = '']) => pathOf(positions)))

function pathOf(positions: string): ShapePath {
  const path: number[] = []
  for (const position of positions.split(',')) {
    const [, longitude, latitude] = pair.exec(position) ?? []
    if (Number.isFinite(Number(longitude)) && Number.isFinite(Number(latitude)))
      path.push(Number(longitude), Number(latitude))
  }
  return path
}

const eachPosition = (path: ShapePath): ShapePath[] =>
  path.flatMap((longitude, index) => (index % 2 === 0 ? [[longitude, path[index + 1] as number]] : []))
