import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { combineWkt } from '../../src/fields/wkt/combination.ts'
import { geoJsonGeometry } from '../../src/fields/wkt/geojson.ts'
import { parseWkt, wktLimits } from '../../src/fields/wkt/parser.ts'
import { WktError } from '../../src/fields/wkt/scanner.ts'
import { writeWkt } from '../../src/fields/wkt/writer.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'

const square = '((0 0, 0 1, 1 1, 0 0))'

function refusalOf(text: string): string {
  try {
    parseWkt(text)
  } catch (error) {
    if (error instanceof WktError) return error.message
    throw error
  }
  return 'accepted'
}

function nestedCollections(depth: number): string {
  return `${'GEOMETRYCOLLECTION ('.repeat(depth)}POINT (1 2)${')'.repeat(depth)}`
}

function lineOf(positions: number): string {
  return `LINESTRING (${'1 2,'.repeat(positions - 1)}1 2)`
}

describe('geometry is Well-Known Text (spec 1)', () => {
  test.each([
    ['POINT (1 2)', 'POINT (1 2)'],
    [' point\n(\t-1.50 +2e1 )\r\n', 'POINT (-1.50 +2e1)'],
    ['POINT(.5 5.)', 'POINT (.5 5.)'],
    ['POINT (180 -90)', 'POINT (180 -90)'],
    ['POINT Z (1 2 3)', 'POINT Z (1 2 3)'],
    ['PointZ(1 2 3)', 'POINT Z (1 2 3)'],
    ['POINT M (1 2 3)', 'POINT M (1 2 3)'],
    ['POINTZM(1 2 3 4)', 'POINT ZM (1 2 3 4)'],
    ['POINT (1 2 300)', 'POINT Z (1 2 300)'],
    ['POINT (1 2 3 4)', 'POINT ZM (1 2 3 4)'],
    ['LINESTRING(0 0,1 1)', 'LINESTRING (0 0, 1 1)'],
    [`POLYGON${square}`, `POLYGON ${square}`],
    [
      'POLYGON ((0 0, 0 9, 9 9, 0.0 -0), (1 1, 1 2, 2 2, 1 1))',
      'POLYGON ((0 0, 0 9, 9 9, 0.0 -0), (1 1, 1 2, 2 2, 1 1))',
    ],
    ['MULTIPOINT ((1 2), (3 4))', 'MULTIPOINT ((1 2), (3 4))'],
    ['MULTIPOINT (1 2, 3 4)', 'MULTIPOINT ((1 2), (3 4))'],
    ['MULTIPOINT (EMPTY, 1 2, (3 4))', 'MULTIPOINT (EMPTY, (1 2), (3 4))'],
    ['MULTILINESTRING ((0 0, 1 1), EMPTY)', 'MULTILINESTRING ((0 0, 1 1), EMPTY)'],
    [`MULTIPOLYGON (${square}, EMPTY)`, `MULTIPOLYGON (${square}, EMPTY)`],
    ['GEOMETRYCOLLECTION (POINT (1 2), LINESTRING EMPTY)', 'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING EMPTY)'],
    ['GEOMETRYCOLLECTION Z (POINT (1 2 3), POINT EMPTY)', 'GEOMETRYCOLLECTION Z (POINT Z (1 2 3), POINT Z EMPTY)'],
    ['GEOMETRYCOLLECTION (POINT (1 2), POINT M (1 2 3))', 'GEOMETRYCOLLECTION (POINT (1 2), POINT M (1 2 3))'],
    ['POINT EMPTY', 'POINT EMPTY'],
    ['point zm empty', 'POINT ZM EMPTY'],
    ['LINESTRING EMPTY', 'LINESTRING EMPTY'],
    ['POLYGON EMPTY', 'POLYGON EMPTY'],
    ['MULTIPOINT EMPTY', 'MULTIPOINT EMPTY'],
    ['MULTILINESTRING EMPTY', 'MULTILINESTRING EMPTY'],
    ['MULTIPOLYGON EMPTY', 'MULTIPOLYGON EMPTY'],
    ['GEOMETRYCOLLECTION EMPTY', 'GEOMETRYCOLLECTION EMPTY'],
  ])('%j is read', (text, spelled) => expect(writeWkt(parseWkt(text))).toBe(spelled))

  test('a ring that crosses itself is accepted', () => {
    expect(refusalOf('POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))')).toBe('accepted')
  })

  test.each([
    ['', 'the text ends where one of POINT, LINESTRING, POLYGON'],
    ['  ', 'the text ends'],
    [
      'SRID=4326;POINT (1 2)',
      'SRID is not accepted, coordinates are always WGS 84 longitude and latitude (at character 1)',
    ],
    [' srid = 4326; POINT (1 2)', 'SRID is not accepted'],
    ['CIRCULARSTRING (0 0, 1 1, 2 0)', 'not "CIRCULARSTRING" (at character 1)'],
    ['constructor (1 2)', 'not "constructor"'],
    ['__proto__ (1 2)', 'not "__proto__"'],
    ['{"type":"Point"}', 'not "{"type":"Point"}"'],
    ['POINT', 'the text ends where "(" or EMPTY is expected (at character 6)'],
    ['POINTEMPTY', 'not "POINTEMPTY"'],
    ['POINT Z', 'the text ends'],
    ['POINTZ Z (1 2 3)', '"(" or EMPTY is expected, not "Z" (at character 8)'],
    ['POINT Z (1 2)', 'the positions here are XYZ, this one has 2 numbers (at character 10)'],
    ['POINT ZM (1 2 3)', 'the positions here are XYZM, this one has 3 numbers'],
    ['POINT ()', 'a number is expected, not ")" (at character 8)'],
    ['POINT (1)', 'a number is expected, not ")" (at character 9)'],
    ['POINT (1, 2)', 'a number is expected, not "," (at character 9)'],
    ['POINT (1 2', 'the text ends where "," or ")" is expected (at character 11)'],
    ['POINT (1 2))', 'the end of the geometry is expected, not ")" (at character 12)'],
    ['POINT (1 2) POINT (1 2)', 'the end of the geometry is expected, not "POINT" (at character 13)'],
    ['POINT (1 2, 3 4)', 'a point has one position only'],
    ['POINT (1 2 3 4 5)', 'a position has at most 4 numbers'],
    ['POINT ((1 2))', 'a number is expected, not "("'],
    ['POINT (1e400 2)', 'longitude "1e400" is beyond ±180'],
    ['POINT Z (1 2 1e400)', '"1e400" is too large for a number'],
    ['POINT (NaN 2)', 'a number is expected, not "NaN" (at character 8)'],
    ['POINT (Infinity 2)', 'not "Infinity"'],
    ['POINT (0x10 2)', 'not "0x10"'],
    ['POINT (1_0 2)', 'not "1_0"'],
    ['POINT (1. 2e)', 'not "2e"'],
    ['POINT (. 2)', 'not "."'],
    ['POINT (1\u00A02)', 'not "1\u00A02"'],
    ['\uFEFFPOINT (1 2)', 'not "\uFEFFPOINT"'],
    ['PO\u0131NT (1 2)', 'not "PO\u0131NT"'],
    ['POINT (180.1 2)', 'longitude "180.1" is beyond ±180 (at character 8)'],
    ['POINT (180.00000000000000000001 2)', 'is beyond ±180'],
    ['POINT (1.801e2 2)', 'longitude "1.801e2" is beyond ±180'],
    [`POINT (1 2 ${'9'.repeat(400)})`, 'is too large for a number'],
    ['POINT (-181 2)', 'longitude "-181"'],
    ['POINT (2 90.5)', 'latitude "90.5" is beyond ±90 (at character 10)'],
    ['LINESTRING (0 0)', 'a line needs at least 2 positions'],
    ['LINESTRING (0 0, 1 1 1)', 'the positions here are XY, this one has 3 numbers (at character 18)'],
    [
      'POLYGON ((0 0, 0 1, 1 1, 1 0))',
      'a ring ends where it begins: it begins at "0 0" and ends at "1 0" (at character 10)',
    ],
    ['POLYGON ((0 0, 0 1, 1 1, 0 0.1))', 'it begins at "0 0" and ends at "0 0.1"'],
    ['POLYGON ((0 0, 1 1, 0 0))', 'a ring needs at least 4 positions, this one has 3 (at character 10)'],
    ['POLYGON ((0 0))', 'a ring needs at least 4 positions'],
    ['POLYGON (EMPTY)', 'a ring is never EMPTY, write POLYGON EMPTY'],
    ['POLYGON (0 0, 0 1, 1 1, 0 0)', '"(" or EMPTY is expected, not "0"'],
    ['MULTIPOINT ((1 2, 3 4))', 'a point has one position only'],
    ['GEOMETRYCOLLECTION (1 2)', 'is expected, not "1"'],
    ['GEOMETRYCOLLECTION Z (POINT M (1 2 3))', 'a collection of XYZ holds no XYM (at character 23)'],
    ['GEOMETRYCOLLECTION Z (POINT (1 2))', 'the positions here are XYZ'],
  ])('%j is refused by name', (text, message) => expect(refusalOf(text)).toContain(message))
})

describe('limits of a geometry', () => {
  test('text up to one mebibyte', () => {
    expect(refusalOf('POINT (1 2)'.padEnd(wktLimits.characters))).toBe('accepted')
    expect(refusalOf('POINT (1 2)'.padEnd(wktLimits.characters + 1))).toContain('longer than 1048576 characters')
  })

  test('up to 100,000 positions', () => {
    expect(refusalOf(lineOf(100_000))).toBe('accepted')
    expect(refusalOf(lineOf(100_001))).toContain('more than 100000 positions')
  })

  test('collections up to eight deep', () => {
    expect(refusalOf(nestedCollections(8))).toBe('accepted')
    expect(refusalOf(nestedCollections(9))).toContain('nested more than 8 deep')
    expect(refusalOf(nestedCollections(10_000))).toContain('nested more than 8 deep')
    expect(refusalOf('GEOMETRYCOLLECTION('.repeat(50_000))).toContain('nested more than 8 deep')
  })

  test.each([
    ['digits', `POINT (${'1'.repeat(1_000_000)}x 2)`],
    ['a fraction', `POINT (1.${'1'.repeat(1_000_000)}x 2)`],
    ['an exponent', `POINT (1e${'1'.repeat(1_000_000)}x 2)`],
    ['letters', 'P'.repeat(1_000_000)],
    ['brackets', `MULTIPOLYGON ${'('.repeat(1_000_000)}`],
    ['white space', `POINT (${' '.repeat(1_000_000)}`],
    ['empty members', `MULTIPOINT (${'EMPTY,'.repeat(170_000)}`],
  ])('a megabyte of %s is refused in linear time and few words', async (_, text) => {
    const milliseconds = await leastProcessorTime(() => expect(refusalOf(text).length).toBeLessThan(200))
    expect(milliseconds).toBeLessThan(1000)
  })
})

describe('several geometries as one', () => {
  test.each([
    [[], ''],
    [['point(1.0  2)'], 'point(1.0  2)'],
    [['POINT(1 2)', 'POINT (3.50 4)'], 'MULTIPOINT ((1 2), (3.50 4))'],
    [['LINESTRING(0 0,1 1)', 'LINESTRING(2 2,3 3)'], 'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))'],
    [[`POLYGON${square}`, `polygon ${square}`], `MULTIPOLYGON (${square}, ${square})`],
    [['MULTIPOINT (1 2, 3 4)', 'POINT (5 6)'], 'MULTIPOINT ((1 2), (3 4), (5 6))'],
    [[`MULTIPOLYGON (${square})`, `MULTIPOLYGON (${square})`], `MULTIPOLYGON (${square}, ${square})`],
    [[`POLYGON ${square}`, 'POINT(1 2)'], `GEOMETRYCOLLECTION (POLYGON ${square}, POINT (1 2))`],
    [
      ['GEOMETRYCOLLECTION (POINT (1 2))', 'GEOMETRYCOLLECTION (POINT (3 4))'],
      'GEOMETRYCOLLECTION (POINT (1 2), POINT (3 4))',
    ],
    [['GEOMETRYCOLLECTION (POINT (1 2))', 'POINT (3 4)'], 'GEOMETRYCOLLECTION (POINT (1 2), POINT (3 4))'],
    [['POINT (1 2 3)', 'POINT Z (4 5 6)'], 'MULTIPOINT Z ((1 2 3), (4 5 6))'],
    [['POINT (1 2)', 'POINT Z (4 5 6)'], 'GEOMETRYCOLLECTION (POINT (1 2), POINT Z (4 5 6))'],
    [
      ['POINTM (1 2 3)', 'LINESTRINGM (1 2 3, 4 5 6)'],
      'GEOMETRYCOLLECTION M (POINT M (1 2 3), LINESTRING M (1 2 3, 4 5 6))',
    ],
    [['POINT EMPTY', 'point (1 2)', 'GEOMETRYCOLLECTION (POLYGON EMPTY)'], 'point (1 2)'],
    [['POINT EMPTY', 'MULTIPOINT (EMPTY)'], 'POINT EMPTY'],
  ])('combines %j into one text', (wkts, combined) => expect(combineWkt(wkts)).toBe(combined))

  test('the deepest collections combine into something readable', () => {
    expect(refusalOf(combineWkt([nestedCollections(8), nestedCollections(8), 'POINT (1 2)']))).toBe('accepted')
  })

  test('large ones combine', () => {
    expect(combineWkt([lineOf(100_000), lineOf(100_000)])).toMatch(/^MULTILINESTRING \(\(1 2, /)
    const points = `MULTIPOINT (${'1 2,'.repeat(99_999)}1 2)`
    expect(combineWkt([points, points, points])).toMatch(/^MULTIPOINT \(\(1 2\), /)
  })
})

describe('a geometry as GeoJSON (RFC 7946)', () => {
  test.each([
    ['POINT (1.50 2)', { type: 'Point', coordinates: [1.5, 2] }],
    ['POINT ZM (1 2 3 4)', { type: 'Point', coordinates: [1, 2, 3] }],
    ['POINT M (1 2 3)', { type: 'Point', coordinates: [1, 2] }],
    [
      'LINESTRING (0 0, 1 1)',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
    ],
    [
      `POLYGON ${square}`,
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [0, 1],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    ],
    ['MULTIPOINT (1 2, EMPTY)', { type: 'MultiPoint', coordinates: [[1, 2]] }],
    [
      'MULTILINESTRING (EMPTY, (0 0, 1 1))',
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
    ],
    [
      `MULTIPOLYGON (EMPTY, ${square})`,
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [0, 0],
              [0, 1],
              [1, 1],
              [0, 0],
            ],
          ],
        ],
      },
    ],
    [
      'GEOMETRYCOLLECTION (POINT (1 2))',
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    ],
    [
      'GEOMETRYCOLLECTION (POINT EMPTY, POINT (1 2), GEOMETRYCOLLECTION (LINESTRING EMPTY), MULTIPOLYGON EMPTY)',
      { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
    ],
    [
      'POLYGON Z ((0 0 1, 0 1 1, 1 1 1, 0 0 7))',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0, 1],
            [0, 1, 1],
            [1, 1, 1],
            [0, 0, 1],
          ],
        ],
      },
    ],
  ])('writes %s as GeoJSON', (wkt, geometry) => expect(geoJsonGeometry(wkt)).toEqual(geometry))

  test.each([
    'POINT EMPTY',
    'POINT ZM EMPTY',
    'LINESTRING EMPTY',
    'POLYGON EMPTY',
    'MULTIPOINT EMPTY',
    'MULTIPOINT (EMPTY, EMPTY)',
    'MULTILINESTRING (EMPTY)',
    'MULTIPOLYGON (EMPTY)',
    'GEOMETRYCOLLECTION EMPTY',
    'GEOMETRYCOLLECTION (POINT EMPTY, GEOMETRYCOLLECTION (MULTIPOINT (EMPTY)))',
  ])('there is none for %s', (wkt) => expect(geoJsonGeometry(wkt)).toBeNull())
})

const space = fc.constantFrom('', ' ', '\t', '\n ')
const gap = fc.constantFrom(' ', '  ', '\r\n')
const latitude = fc.oneof(
  fc.integer({ min: -90, max: 90 }).map(String),
  fc.double({ min: -90, max: 90, noNaN: true }).map(String),
  fc.constantFrom('.5', '-.5', '5.', '+1.50', '1E1', '0e-400'),
)

function inAnyCase(word: string): fc.Arbitrary<string> {
  return fc.constantFrom(word, word.toLowerCase(), `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
}

function listOf(item: fc.Arbitrary<string>, minLength = 1): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(item, { minLength, maxLength: minLength + 3 }), space, space)
    .map(([items, before, after]) => `${before}(${before}${items.join(`${after},${before}`)}${after})`)
}

function orEmpty(list: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: list },
    { weight: 1, arbitrary: inAnyCase('EMPTY').map((word) => ` ${word}`) },
  )
}

function shapesOf({ tag, width }: { tag: string; width: number }): fc.Arbitrary<string> {
  const position = fc
    .tuple(fc.array(latitude, { minLength: width, maxLength: width }), gap)
    .map(([numbers, between]) => numbers.join(between))
  const ring = fc
    .array(position, { minLength: 3, maxLength: 6 })
    .map((positions) => `(${[...positions, positions[0]].join(',')})`)
  const point = fc.tuple(space, position).map(([inside, written]) => `(${inside}${written}${inside})`)
  const line = listOf(position, 2)
  const polygon = listOf(ring)
  const bodies: readonly [string, fc.Arbitrary<string>][] = [
    ['POINT', orEmpty(point)],
    ['LINESTRING', orEmpty(line)],
    ['POLYGON', orEmpty(polygon)],
    ['MULTIPOINT', orEmpty(listOf(fc.oneof(position, orEmpty(point))))],
    ['MULTILINESTRING', orEmpty(listOf(orEmpty(line)))],
    ['MULTIPOLYGON', orEmpty(listOf(orEmpty(polygon)))],
  ]
  return fc.oneof(
    ...bodies.map(([word, body]) => fc.tuple(inAnyCase(word + tag), body).map(([heading, rest]) => heading + rest)),
  )
}

const shape = fc.oneof(
  ...[
    { tag: '', width: 2 },
    { tag: '', width: 3 },
    { tag: ' Z', width: 3 },
    { tag: 'M', width: 3 },
    { tag: ' ZM', width: 4 },
  ].map(shapesOf),
)

const { geometry } = fc.letrec<{ geometry: string; collection: string }>((tie) => ({
  geometry: fc.oneof({ maxDepth: wktLimits.collectionDepth }, shape, tie('collection')),
  collection: orEmpty(listOf(tie('geometry'))).map((members) => `GEOMETRYCOLLECTION${members}`),
}))

describe('any text', () => {
  test('that the grammar makes is read, and its spelling is read the same', () => {
    fc.assert(
      fc.property(geometry, (wkt) => {
        const once = writeWkt(parseWkt(wkt))
        expect(writeWkt(parseWkt(once))).toBe(once)
        expect(JSON.stringify(geoJsonGeometry(once))).toBe(JSON.stringify(geoJsonGeometry(wkt)))
      }),
      { numRuns: 500 },
    )
  })

  test('combines with any other into something that is read', () => {
    fc.assert(
      fc.property(fc.array(geometry, { minLength: 1, maxLength: 4 }), (wkts) => {
        expect(refusalOf(combineWkt(wkts))).toBe('accepted')
      }),
      { numRuns: 300 },
    )
  })

  test('is read or refused with a WktError inside the text, however it is damaged', () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.integer({ min: 0, max: 4 }),
      put: fc.oneof(
        fc.constantFrom('(', ')', ',', ' ', 'Z', 'EMPTY', '1e400', '-', '.', ';', 'POINT'),
        fc.string({ unit: 'binary' }),
      ),
    })
    fc.assert(
      fc.property(geometry, fc.array(damage, { minLength: 1, maxLength: 3 }), (wkt, damages) => {
        const damaged = damages.reduce((text, { at, cut, put }) => {
          const start = at % (text.length + 1)
          return text.slice(0, start) + put + text.slice(start + cut)
        }, wkt)
        try {
          parseWkt(damaged)
        } catch (error) {
          if (!(error instanceof WktError)) throw error
          expect(error.position).toBeGreaterThanOrEqual(1)
          expect(error.position).toBeLessThanOrEqual(damaged.length + 1)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
