import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWkt } from '../../src/fields/wkt/parser.ts'
import { shapesOf } from '../../src/fields/wkt/shapes.ts'
import { readWkt } from '../../web/look/place/shapes.ts'

const number = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }).map(String),
  fc.integer({ min: -90, max: 90 }).map(String),
  fc.constantFrom('1e1', '-2.5E-3', '.5', '7.'),
)
const dimension = fc.constantFrom('', ' Z', ' M', ' ZM')
const positionOf = (word: string) =>
  fc
    .array(number, { minLength: 2 + word.trim().length, maxLength: 2 + word.trim().length })
    .map((parts) => parts.join(' '))
const listed = (position: fc.Arbitrary<string>, least: number) =>
  fc.array(position, { minLength: least, maxLength: 5 }).map((positions) => `(${positions.join(', ')})`)
const ring = (position: fc.Arbitrary<string>) =>
  fc.array(position, { minLength: 3, maxLength: 5 }).map((positions) => `(${[...positions, positions[0]].join(',')})`)
const several = (part: fc.Arbitrary<string>) =>
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `(${parts.join(', ')})`)

const single = dimension.chain((word) => {
  const position = positionOf(word)
  return fc.oneof(
    position.map((one) => `POINT${word} (${one})`),
    fc.constantFrom('POLYGON EMPTY', 'MULTIPOINT EMPTY'),
    listed(position, 1).map((one) => `MULTIPOINT${word} ${one}`),
    several(position.map((one) => `(${one})`)).map((one) => `MULTIPOINT${word} ${one}`),
    listed(position, 2).map((one) => `LINESTRING${word} ${one}`),
    several(listed(position, 2)).map((one) => `MULTILINESTRING${word} ${one}`),
    several(ring(position)).map((one) => `POLYGON${word} ${one}`),
    several(several(ring(position))).map((one) => `MULTIPOLYGON${word} ${one}`),
  )
})
const geometry = fc.oneof(
  single,
  fc.array(single, { minLength: 1, maxLength: 3 }).map((all) => `GEOMETRYCOLLECTION (${all.join(', ')})`),
)

describe('well-known text', () => {
  test('is read as the server reads it', () => {
    fc.assert(
      fc.property(geometry, (wkt) => {
        const { points, lines, areas } = shapesOf(parseWkt(wkt))
        const flat = (line: readonly (readonly string[])[]) => line.flatMap(([lon, lat]) => [Number(lon), Number(lat)])
        expect(readWkt(wkt)).toEqual({
          points: points.map((point) => flat([point])),
          lines: lines.map(flat),
          areas: areas.map((rings) => rings.map(flat)),
        })
      }),
    )
  })

  test('yields no shapes if it is invalid', () => {
    for (const text of ['', 'POLYGON', 'POLYGON ((', 'CIRCLE (1 2)', 'POINT (x y)'])
      expect(readWkt(text)).toEqual({ points: [], lines: [], areas: [] })
  })
})
