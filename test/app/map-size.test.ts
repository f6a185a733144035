import { describe, expect, test } from 'vitest'
import { metresBetween, squareMetresOf } from '../../src/fields/wkt/size.ts'
import { readWkt } from '../../web/look/place/shapes.ts'

/** A field of 0.002° by 0.001°, reckoned by the ellipsoid's two radii of curvature in its middle. */
function expectedSize(latitude: number): number {
  const squared = 0.00669437999014
  const middle = ((latitude + 0.0005) * Math.PI) / 180
  const flat = 1 - squared * Math.sin(middle) ** 2
  const meridian = (6378137 * (1 - squared)) / flat ** 1.5
  const parallel = (6378137 / Math.sqrt(flat)) * Math.cos(middle)
  return meridian * parallel * ((0.001 * Math.PI) / 180) * ((0.002 * Math.PI) / 180)
}

const fieldAt = (latitude: number): string =>
  `POLYGON ((8 ${latitude}, 8.002 ${latitude}, 8.002 ${latitude + 0.001}, 8 ${latitude + 0.001}, 8 ${latitude}))`

describe('the size of an area on the WGS 84 ellipsoid', () => {
  test.each([0, 50, 69, -50, 89])('is right to a hundredth of a percent at %s°', (latitude) => {
    const size = squareMetresOf(readWkt(fieldAt(latitude)))
    expect(Math.abs(size / expectedSize(latitude) - 1)).toBeLessThan(0.0001)
  })

  test('agrees with a published value: one degree at the equator has 12,308.8 km²', () => {
    expect(squareMetresOf(readWkt('POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))')) / 1e6).toBeCloseTo(12308.8, 0)
  })

  test('does not depend on the direction of a ring, and subtracts holes', () => {
    const turned = 'POLYGON ((8 50, 8 50.001, 8.002 50.001, 8.002 50, 8 50))'
    expect(squareMetresOf(readWkt(turned))).toBeCloseTo(squareMetresOf(readWkt(fieldAt(50))), 3)
    const hole = '(8.0005 50.0002, 8.001 50.0002, 8.001 50.0004, 8.0005 50.0002)'
    const holed = squareMetresOf(readWkt(fieldAt(50).replace('))', `), ${hole})`)))
    const filled = squareMetresOf(readWkt(fieldAt(50))) - squareMetresOf(readWkt(`POLYGON (${hole})`))
    expect(holed).toBeCloseTo(filled, 3)
  })

  test('is zero for a point and a line', () => {
    expect(squareMetresOf(readWkt('GEOMETRYCOLLECTION (POINT (8 50), LINESTRING (8 50, 9 50))'))).toBe(0)
  })
})

test.each([
  [0, 222.64, 110.574],
  [50, 143.391, 111.229],
  [69, 80.021, 111.562],
])('a side at %s° has its length in metres', (latitude, east, north) => {
  expect(metresBetween([8, latitude], [8.002, latitude])).toBeCloseTo(east, 1)
  expect(metresBetween([8, latitude - 0.0005], [8, latitude + 0.0005])).toBeCloseTo(north, 1)
})
