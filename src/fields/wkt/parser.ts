/**
 * Well-Known Text as OGC 06-103r4 (section 7) writes it, in WGS 84 longitude and latitude.
 *
 * Z, M and ZM may stand apart (`POINT Z (1 2 3)`), joined (`POINTZ (1 2 3)`) or be left out: then three numbers mean Z
 * and four ZM. The members of a collection may differ in dimension unless the collection names one. Points of a
 * MULTIPOINT may go without brackets. Rings have at least four positions, end where they begin (in longitude and
 * latitude) and are never EMPTY; whether they cross themselves is not asked, because a boundary walked with a phone
 * often does. Curves, surfaces and `SRID=` are refused.
 */
import { type Dimension, type Geometry, type GeometryType, type PositionTexts, sharedDimension } from './geometry.ts'
import { boundingSize } from './number-token.ts'
import { quoted, WktError, WktScanner } from './scanner.ts'

export const wktLimits = { characters: 1_048_576, positions: 100_000, collectionDepth: 8 } as const

const types: readonly GeometryType[] = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
]

const dimensions = new Map<string, Dimension>([
  ['Z', 'XYZ'],
  ['M', 'XYM'],
  ['ZM', 'XYZM'],
])

/** Indexed by the count of numbers beyond two. */
const untaggedDimensions: readonly Dimension[] = ['XY', 'XYZ', 'XYZM']

interface GeometryTag {
  readonly type: GeometryType
  readonly dimension?: Dimension
}

const headings = new Map<string, GeometryTag>(
  types.flatMap((type) => [
    [type.toUpperCase(), { type }] as const,
    ...[...dimensions].map(([tag, dimension]) => [type.toUpperCase() + tag, { type, dimension }] as const),
  ]),
)

const bounds = [
  { name: 'longitude', most: 180 },
  { name: 'latitude', most: 90 },
] as const

export function parseWkt(text: string): Geometry {
  if (text.length > wktLimits.characters) {
    throw new WktError(`the geometry is longer than ${wktLimits.characters} characters`, wktLimits.characters + 1)
  }
  return new WktParser(text, wktLimits).whole()
}

/** For stored or combined geometries, which may exceed the limit for input. */
export const parseKeptWkt = (text: string): Geometry =>
  new WktParser(text, { positions: Number.POSITIVE_INFINITY, collectionDepth: 2 * wktLimits.collectionDepth }).whole()

class WktParser {
  readonly #scanner: WktScanner
  readonly #limits: Readonly<Record<'positions' | 'collectionDepth', number>>
  #positions = 0
  /** Of the geometry being read; unknown until its tag or its first position. */
  #dimension: Dimension | undefined

  constructor(text: string, limits: Readonly<Record<'positions' | 'collectionDepth', number>>) {
    this.#limits = limits
    this.#scanner = new WktScanner(text)
  }

  whole(): Geometry {
    const geometry = this.#geometry(0)
    if (!this.#scanner.ended) throw this.#scanner.unexpected('the end of the geometry')
    return geometry
  }

  #geometry(depth: number, inherited?: Dimension): Geometry {
    const position = this.#scanner.position
    const heading = this.#heading()
    if (inherited && heading.dimension && heading.dimension !== inherited) {
      throw new WktError(`a collection of ${inherited} holds no ${heading.dimension}`, position)
    }
    const dimension = heading.dimension ?? inherited
    if (heading.type === 'GeometryCollection') {
      if (depth === this.#limits.collectionDepth) {
        throw new WktError(`collections are nested more than ${this.#limits.collectionDepth} deep`, position)
      }
      const geometries = this.#list(() => this.#geometry(depth + 1, dimension))
      return { type: heading.type, dimension: dimension ?? sharedDimension(geometries), geometries }
    }
    this.#dimension = dimension
    const shape = this.#shape(heading.type)
    return { ...shape, dimension: this.#dimension ?? 'XY' }
  }

  #heading(): GeometryTag {
    const scanner = this.#scanner
    const word = scanner.peekWord()
    if (word === 'SRID') {
      throw new WktError('SRID is not accepted, coordinates are always WGS 84 longitude and latitude', scanner.position)
    }
    const heading = headings.get(word)
    if (!heading) throw scanner.unexpected(`one of ${types.map((type) => type.toUpperCase()).join(', ')}`)
    scanner.take(word)
    if (heading.dimension) return heading
    const tag = scanner.peekWord()
    const dimension = dimensions.get(tag)
    if (!dimension) return heading
    scanner.take(tag)
    return { type: heading.type, dimension }
  }

  #shape(type: Exclude<GeometryType, 'GeometryCollection'>) {
    switch (type) {
      case 'Point':
        return { type, coordinates: this.#point() }
      case 'LineString':
        return { type, coordinates: this.#line() }
      case 'Polygon':
        return { type, coordinates: this.#polygon() }
      case 'MultiPoint':
        return { type, coordinates: this.#list(() => this.#memberPoint()) }
      case 'MultiLineString':
        return { type, coordinates: this.#list(() => this.#line()) }
      case 'MultiPolygon':
        return { type, coordinates: this.#list(() => this.#polygon()) }
    }
  }

  #point(): PositionTexts {
    const [position = [], second] = this.#list(() => this.#position())
    if (second) throw new WktError('a point has one position only', this.#scanner.position)
    return position
  }

  #memberPoint(): PositionTexts {
    const bare = this.#scanner.next !== '(' && this.#scanner.peekWord() !== 'EMPTY'
    return bare ? this.#position() : this.#point()
  }

  #line(): PositionTexts[] {
    const start = this.#scanner.position
    const line = this.#list(() => this.#position())
    if (line.length === 1) throw new WktError('a line needs at least 2 positions', start)
    return line
  }

  #polygon(): PositionTexts[][] {
    return this.#list(() => this.#ring())
  }

  #ring(): PositionTexts[] {
    const start = this.#scanner.position
    const ring = this.#list(() => this.#position())
    const [first, last] = [ring[0], ring.at(-1)]
    if (!first || !last) throw new WktError('a ring is never EMPTY, write POLYGON EMPTY', start)
    if (Number(first[0]) !== Number(last[0]) || Number(first[1]) !== Number(last[1])) {
      throw new WktError(
        `a ring ends where it begins: it begins at ${quoted(first.join(' '))} and ends at ${quoted(last.join(' '))}`,
        start,
      )
    }
    if (ring.length < 4) throw new WktError(`a ring needs at least 4 positions, this one has ${ring.length}`, start)
    return ring
  }

  #list<Item>(item: () => Item): Item[] {
    const scanner = this.#scanner
    if (scanner.peekWord() === 'EMPTY') {
      scanner.take('EMPTY')
      return []
    }
    if (!scanner.takeIfNext('(')) throw scanner.unexpected('"(" or EMPTY')
    const items = [item()]
    while (scanner.takeIfNext(',')) items.push(item())
    if (!scanner.takeIfNext(')')) throw scanner.unexpected('"," or ")"')
    return items
  }

  #position(): PositionTexts {
    const start = this.#scanner.position
    this.#positions++
    if (this.#positions > this.#limits.positions) {
      throw new WktError(`the geometry has more than ${this.#limits.positions} positions`, start)
    }
    const numbers = [this.#number(0), this.#number(1)]
    while (!this.#positionEnds()) {
      if (numbers.length === 4) throw new WktError('a position has at most 4 numbers', start)
      numbers.push(this.#number(numbers.length))
    }
    this.#dimension ??= untaggedDimensions[numbers.length - 2]
    if (numbers.length !== this.#dimension?.length) {
      throw new WktError(`the positions here are ${this.#dimension}, this one has ${numbers.length} numbers`, start)
    }
    return numbers
  }

  #positionEnds(): boolean {
    const next = this.#scanner.next
    return next === ',' || next === ')' || next === ''
  }

  #number(index: number): string {
    const position = this.#scanner.position
    const token = this.#scanner.takeToken()
    if (token === '') throw this.#scanner.unexpected('a number')
    const size = boundingSize(token)
    if (size === undefined) throw new WktError(`a number is expected, not ${quoted(token)}`, position)
    const bound = bounds[index]
    if (bound && size > bound.most) {
      throw new WktError(`${bound.name} ${quoted(token)} is beyond ±${bound.most}`, position)
    }
    if (size === Number.POSITIVE_INFINITY) throw new WktError(`${quoted(token)} is too large for a number`, position)
    return token
  }
}
