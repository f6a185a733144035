import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundsOf, geohashOf } from '../../src/fields/wkt/bounds.ts'
import { centroidOf } from '../../src/fields/wkt/centroid.ts'
import { parseWkt } from '../../src/fields/wkt/parser.ts'
import { positionsIn, shapesOf } from '../../src/fields/wkt/shapes.ts'
import { rounds } from '../harness/rounds.ts'

const boundsIn = (wkt: string) => boundsOf(positionsIn(shapesOf(parseWkt(wkt))))
const middleOf = (wkt: string) => centroidOf(shapesOf(parseWkt(wkt)))

describe('the bounds of a geometry', () => {
  test.each([
    ['POINT (7.1 50.2)', [7.1, 50.2, 7.1, 50.2]],
    ['POINT Z (-7.1 -50.2 300)', [-7.1, -50.2, -7.1, -50.2]],
    ['LINESTRING (1 5, -2 3)', [-2, 3, 1, 5]],
    ['POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0), (1 1, 2 1, 2 1.5, 1 1))', [0, 0, 4, 2]],
    ['MULTIPOINT (EMPTY, 1 2, 3 4)', [1, 2, 3, 4]],
    ['GEOMETRYCOLLECTION (POINT (9 9), GEOMETRYCOLLECTION (LINESTRING (0 0, 1 1)), POINT EMPTY)', [0, 0, 9, 9]],
    ['POINT (-0 -0)', [0, 0, 0, 0]],
    ['POINT (+2e1 .5)', [20, 0.5, 20, 0.5]],
  ])('encloses every position of %s', (wkt, [left, bottom, right, top]) =>
    expect(boundsIn(wkt)).toStrictEqual({ left, bottom, right, top }),
  )
})

describe('the middle of a geometry', () => {
  test.each([
    ['a point', 'POINT (7.1 50.2)', [7.1, 50.2]],
    ['points', 'MULTIPOINT (0 0, 0 3, 3 0)', [1, 1]],
    ['equal points', 'MULTIPOINT (0.1 0.1, 0.1 0.1, 0.1 0.1)', [0.1, 0.1]],
    ['a line, by length', 'LINESTRING (0 0, 2 0, 2 2)', [1.5, 0.5]],
    ['lines, by length', 'MULTILINESTRING ((0 0, 8 0), (0 2, 0 4), EMPTY)', [3.2, 0.6]],
    ['an area', 'POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))', [2, 1]],
    ['an area drawn the other way round', 'POLYGON ((0 0, 0 2, 4 2, 4 0, 0 0))', [2, 1]],
    ['a triangle', 'POLYGON ((0 0, 3 0, 0 3, 0 0))', [1, 1]],
    ['an area with a hole', 'POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (0 0, 0 4, 2 4, 2 0, 0 0))', [3, 2]],
    ['areas, by size', 'MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((10 0, 11 0, 11 1, 10 1, 10 0)))', [2.9, 0.9]],
    [
      'of a collection, the areas',
      'GEOMETRYCOLLECTION (POINT (90 9), LINESTRING (50 0, 60 0), POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0)))',
      [2, 1],
    ],
    ['without areas, the lines', 'GEOMETRYCOLLECTION (POINT (90 9), LINESTRING (50 0, 60 0))', [55, 0]],
    ['an area without size', 'POLYGON ((0 0, 4 0, 2 0, 0 0))', [2, 0]],
    ['an area of one place', 'POLYGON ((1 2, 1 2, 1 2, 1 2))', [1, 2]],
    ['a line without length', 'LINESTRING (1 2, 1 2)', [1, 2]],
    ['a ring that crosses itself in the middle', 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))', [1, 1]],
  ])('is found for %s', (_, wkt, [lon, lat]) => {
    expect(middleOf(wkt)?.lon).toBeCloseTo(lon ?? 0, 12)
    expect(middleOf(wkt)?.lat).toBeCloseTo(lat ?? 0, 12)
  })

  test('a garden of a few metres keeps its digits', () => {
    const middle = middleOf('POLYGON ((7.1 50.2, 7.10001 50.2, 7.10001 50.20001, 7.1 50.20001, 7.1 50.2))')
    expect(middle?.lon).toBeCloseTo(7.100005, 12)
    expect(middle?.lat).toBeCloseTo(50.200005, 12)
  })

  test('is never outside, even where the parts of a ring nearly cancel each other out', () =>
    expect(middleOf('POLYGON ((0 0, 10 10, 10 0, 0 10.001, 0 0))')).toMatchObject({
      lon: expect.closeTo(5, 2),
      lat: expect.closeTo(5, 2),
    }))
})

test.each([
  'POINT EMPTY',
  'LINESTRING EMPTY',
  'POLYGON EMPTY',
  'MULTIPOINT EMPTY',
  'MULTIPOINT (EMPTY, EMPTY)',
  'MULTILINESTRING (EMPTY)',
  'MULTIPOLYGON (EMPTY)',
  'GEOMETRYCOLLECTION EMPTY',
  'GEOMETRYCOLLECTION (POINT EMPTY, GEOMETRYCOLLECTION (LINESTRING EMPTY))',
])('%s has neither bounds nor a middle', (wkt) => {
  expect(boundsIn(wkt)).toBeUndefined()
  expect(middleOf(wkt)).toBeUndefined()
})

describe('the geohash is the smallest cell that holds all of it', () => {
  test.each([
    ['POINT (10.40744 57.64911)', 'u4pruydqqvj8'],
    ['POINT (-5.6 42.6)', 'ezs42e44yx96'],
    ['POINT (180 90)', 'zzzzzzzzzzzz'],
    ['POINT (-180 -90)', '000000000000'],
    ['LINESTRING (10.40744 57.64911, 10.4075 57.6492)', 'u4pruyd'],
    ['LINESTRING (-1 1, 1 1)', ''],
  ])('names the smallest cell around %s', (wkt, hash) => {
    const bounds = boundsIn(wkt)
    expect(bounds && geohashOf(bounds)).toBe(hash)
  })
})

const number = (most: number) =>
  fc.oneof(
    fc.double({ min: -most, max: most, noNaN: true }).map((double) => String(double)),
    fc.integer({ min: -most, max: most }).map(String),
    fc.constantFrom('0', '-0', '5e-324', '1e-200', `${most}`, `-${most}`),
  )
const position = fc.tuple(number(180), number(90)).map((numbers) => numbers.join(' '))
const line = fc.array(position, { minLength: 2, maxLength: 6 }).map((positions) => `(${positions.join(',')})`)
const ring = fc
  .array(position, { minLength: 3, maxLength: 6 })
  .map((positions) => `(${[...positions, positions[0]].join(',')})`)
const area = fc.array(ring, { minLength: 1, maxLength: 3 }).map((rings) => `(${rings.join(',')})`)
const severalOf = (one: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof(one, fc.constant('EMPTY')), { minLength: 1, maxLength: 3 })
    .map((members) => `(${members.join(',')})`)
const simple = fc.oneof(
  position.map((numbers) => `POINT (${numbers})`),
  line.map((inside) => `LINESTRING ${inside}`),
  area.map((inside) => `POLYGON ${inside}`),
  severalOf(position).map((inside) => `MULTIPOINT ${inside}`),
  severalOf(line).map((inside) => `MULTILINESTRING ${inside}`),
  severalOf(area).map((inside) => `MULTIPOLYGON ${inside}`),
)
const anyGeometry = fc.oneof(
  simple,
  fc.array(simple, { minLength: 1, maxLength: 4 }).map((members) => `GEOMETRYCOLLECTION (${members.join(',')})`),
)

test('whatever is drawn has its middle within its bounds, and its bounds within its cell', () => {
  fc.assert(
    fc.property(anyGeometry, (wkt) => {
      const [bounds, middle] = [boundsIn(wkt), middleOf(wkt)]
      if (bounds === undefined || middle === undefined) {
        expect(middle).toBe(bounds)
        return
      }
      expect(middle.lon).toBeGreaterThanOrEqual(bounds.left)
      expect(middle.lon).toBeLessThanOrEqual(bounds.right)
      expect(middle.lat).toBeGreaterThanOrEqual(bounds.bottom)
      expect(middle.lat).toBeLessThanOrEqual(bounds.top)
      const cell = geohashOf(bounds)
      const center = geohashOf({ left: middle.lon, right: middle.lon, bottom: middle.lat, top: middle.lat })
      expect(center.startsWith(cell)).toBe(true)
    }),
    { numRuns: rounds({ short: 300, long: 20_000 }) },
  )
})
