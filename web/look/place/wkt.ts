/** Longitudes and latitudes in turn, in degrees (WGS 84). */
export type Path = readonly number[]

/** What a geometry is made of; an area is its outer ring, then its holes. */
export interface Shapes {
  readonly points: readonly Path[]
  readonly lines: readonly Path[]
  readonly areas: readonly (readonly Path[])[]
}

/** Reads well-known text. Heights and measures are left out; what cannot be read is nothing. */
export function readWkt(wkt: string): Shapes {
  const shapes = { points: [] as Path[], lines: [] as Path[], areas: [] as Path[][] }
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

const polygonsOf = (body: string): Path[][] =>
  body
    .split(/\)\s*\)\s*,/)
    .map((polygon) => [...polygon.matchAll(/\(([^()]+)/g)].map(([, positions = '']) => pathOf(positions)))

function pathOf(positions: string): Path {
  const path: number[] = []
  for (const position of positions.split(',')) {
    const [, longitude, latitude] = pair.exec(position) ?? []
    if (Number.isFinite(Number(longitude)) && Number.isFinite(Number(latitude)))
      path.push(Number(longitude), Number(latitude))
  }
  return path
}

const eachPosition = (path: Path): Path[] =>
  path.flatMap((longitude, index) => (index % 2 === 0 ? [[longitude, path[index + 1] as number]] : []))
