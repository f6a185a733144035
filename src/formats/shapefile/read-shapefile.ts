import { isUtf8 } from 'node:buffer'
import type { LinePositions, PositionTexts } from '../../fields/wkt/geometry.ts'
import { Refusal } from '../../refusal.ts'
import {
  type InputFeature,
  mapLimits,
  propertyNamed,
  tooManyFeatures,
  tooManyPositions,
  type WantedProperties,
} from '../map/feature.ts'
import { type Projection, projected, projectionOfPrj } from '../map/projection.ts'
import { BadShape, geometryOf, type ShapeSketch, signedArea } from '../map/shape.ts'
import { entriesOfZip, unpacked, type ZipEntry } from '../zip/read-zip.ts'

/** The features of zipped shapefiles (Esri, July 1998): of each .shp with its .dbf and .prj, some at a time. */
export async function* featuresOfShapefile(
  bytes: Buffer,
  wanted: WantedProperties,
): AsyncGenerator<readonly InputFeature[]> {
  const files = new Map(entriesOfZip(bytes).map((entry) => [entry.name.toLowerCase(), entry] as const))
  const shapes = [...files.keys()].filter((name) => name.endsWith('.shp') && !name.includes('__macosx'))
  if (shapes.length === 0)
    throw new Refusal(
      'unreadable-body',
      'The archive holds no .shp file: pack .shp, .dbf and .prj of a layer together.',
    )
  let [features, room] = [0, mapLimits.bytes * 2]
  const unpack = async (entry: ZipEntry | undefined): Promise<Buffer | undefined> => {
    const file = entry === undefined ? undefined : await unpacked(bytes, entry, room)
    room -= file?.length ?? 0
    return file
  }
  for (const name of shapes) {
    const beside = (ending: string) => unpack(files.get(name.replace(/shp$/, ending)))
    const prj = await beside('prj')
    if (prj === undefined) throw withoutSystem(name)
    const projection = projectionOfPrj(prj.toString('utf8'))
    const table = await beside('dbf')
    const encoding = (await beside('cpg'))?.toString('latin1').trim() ?? ''
    const rows = table === undefined ? [] : rowsOfDbf(table, encoding, wanted)
    const shp = await unpack(files.get(name))
    for (const one of featuresIn(shp ?? Buffer.alloc(0), { rows, projection, first: features })) {
      if (++features > mapLimits.features) throw tooManyFeatures()
      yield [one]
    }
  }
}

const withoutSystem = (name: string): Refusal =>
  new Refusal(
    'invalid-content',
    `${JSON.stringify(name.slice(0, 100))} has no .prj beside it, so nobody knows what its coordinates mean: pack it, too, or export as WGS 84.`,
    { faults: [{ field: 'crs', message: 'the .prj file is missing', allowed: ['EPSG:4326'] }] },
  )

interface ShapeContext {
  readonly rows: readonly ReadonlyMap<string, string>[]
  readonly projection: Projection
  /** The number of features before. */
  readonly first: number
}

const headLength = 100

function* featuresIn(bytes: Buffer, { rows, projection, first }: ShapeContext): Generator<InputFeature> {
  if (bytes.length < headLength || bytes.readInt32BE(0) !== 9994) throw unreadable('does not begin as one')
  let at = headLength
  for (let index = 0; at + 8 <= bytes.length; index++) {
    const length = bytes.readInt32BE(at + 4) * 2
    const end = at + 8 + length
    if (length < 4 || end > bytes.length) throw unreadable('ends in the middle of a shape')
    const plain = { properties: rows[index] ?? new Map<string, string>(), folders: [], geometry: null }
    try {
      const sketch = sketchIn(bytes.subarray(at + 8, end), first + index)
      yield { ...plain, geometry: sketch === null ? null : geometryOf(projected(sketch, projection)) }
    } catch (error) {
      if (!(error instanceof BadShape)) throw error
      yield { ...plain, fault: error.message }
    }
    at = end
  }
}

/** Shapes with altitudes or measures have the same beginning as those without. */
function sketchIn(bytes: Buffer, feature: number): ShapeSketch | null {
  const kind = bytes.readInt32LE(0) % 10
  const position = (at: number): PositionTexts => [String(bytes.readDoubleLE(at)), String(bytes.readDoubleLE(at + 8))]
  const need = (length: number) => {
    if (length > bytes.length) throw unreadable('has a shape that is shorter than it says')
  }
  if (kind === 0) return null
  if (kind === 1) {
    need(20)
    return { type: 'Point', coordinates: position(4) }
  }
  need(40)
  const [parts, points] = kind === 8 ? [0, bytes.readInt32LE(36)] : [bytes.readInt32LE(36), bytes.readInt32LE(40)]
  const start = kind === 8 ? 40 : 44 + parts * 4
  if (parts < 0 || points < 0 || parts > points) throw unreadable('has a shape of no sense')
  if (points > mapLimits.positions) throw tooManyPositions(feature)
  need(start + points * 16)
  const all = Array.from({ length: points }, (_, index) => position(start + index * 16))
  if (kind === 8) return { type: 'MultiPoint', coordinates: all }
  const begins = Array.from({ length: parts }, (_, index) => bytes.readInt32LE(44 + index * 4))
  const lines = begins.map((begin, index) => all.slice(begin, begins[index + 1] ?? points))
  if (kind === 3)
    return lines[1] === undefined
      ? { type: 'LineString', coordinates: lines[0] ?? [] }
      : { type: 'MultiLineString', coordinates: lines }
  if (kind === 5) return polygonsOf(lines)
  throw new BadShape(`shapes of the kind ${bytes.readInt32LE(0)} are not read; export polygons, lines or points`)
}

/** Outer rings run clockwise in shapefiles; each hole belongs to the outer ring before it that surrounds it. */
function polygonsOf(rings: readonly LinePositions[]): ShapeSketch {
  const polygons: LinePositions[][] = []
  for (const ring of rings) {
    const isHole = signedArea(ring) > 0 && polygons.length > 0
    const around = isHole ? polygons.find(([outer]) => outer !== undefined && surrounds(outer, ring[0])) : undefined
    if (around === undefined) polygons.push([ring])
    else around.push(ring)
  }
  const [first, second] = polygons
  return first !== undefined && second === undefined
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons }
}

function surrounds(ring: LinePositions, position: PositionTexts | undefined): boolean {
  const [x, y] = [Number(position?.[0]), Number(position?.[1])]
  let isInside = false
  for (const [index, one] of ring.entries()) {
    const other = ring[(index + 1) % ring.length] ?? one
    const [ax, ay, bx, by] = [Number(one[0]), Number(one[1]), Number(other[0]), Number(other[1])]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  }
  return isInside
}

interface DbfColumn {
  readonly name: string
  readonly length: number
}

/** The rows of a dBASE table, only the columns that are wanted. */
function rowsOfDbf(bytes: Buffer, encoding: string, wanted: WantedProperties): readonly ReadonlyMap<string, string>[] {
  if (bytes.length < 33) throw unreadable('has a table (.dbf) that is no dBASE file')
  const [count, head, length] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)]
  const columns: DbfColumn[] = []
  for (let at = 32; at + 32 <= head && bytes[at] !== 0x0d; at += 32)
    columns.push({
      name: bytes
        .toString('latin1', at, at + 11)
        .replace(/\0.*$/s, '')
        .trim(),
      length: bytes[at + 16] ?? 0,
    })
  const isUnicode = /utf-?8|65001/i.test(encoding) || (encoding === '' && isUtf8(bytes.subarray(head)))
  const text = (from: number, to: number) =>
    (isUnicode ? bytes.toString('utf8', from, to) : new TextDecoder('windows-1252').decode(bytes.subarray(from, to)))
      .replace(/\0.*$/s, '')
      .trim()
  const unwanted = columns.filter(({ name }) => !wanted.wants(name))
  for (const { name } of unwanted) wanted.leftOut.count(propertyNamed(name), Math.min(count, mapLimits.features))
  const rows: Map<string, string>[] = []
  for (let at = head; rows.length < count && at + length <= bytes.length && length > 0; at += length) {
    if (rows.length >= mapLimits.features) throw tooManyFeatures()
    const row = new Map<string, string>()
    let from = at + 1
    for (const { name, length: width } of columns) {
      const cell = wanted.wants(name) ? text(from, from + width) : ''
      if (cell !== '') row.set(name, cell)
      from += width
    }
    rows.push(row)
  }
  return rows
}

const unreadable = (what: string): Refusal => new Refusal('unreadable-body', `The shapefile ${what}.`)
