import { describe, expect, test } from 'vitest'
import { metresBetween } from '../../src/fields/wkt/size.ts'
import { bedNames, nextName } from '../../web/map/draw/area-names.ts'
import { bedsIn, longestFor, roomFor } from '../../web/map/draw/beds.ts'
import { type Corner, rectangleAt, sizeOf } from '../../web/map/draw/geometry.ts'

const latitudes = [0, 50, 69, -50]
const angles = [0, 37, 90, 200]
const everywhere = latitudes.flatMap((latitude) => angles.map((angle) => [latitude, angle] as const))

const off = (measured: number, meant: number): number => Math.abs(measured / meant - 1)
const side = (corners: readonly Corner[], at: number): number =>
  metresBetween(corners[at] as Corner, corners[(at + 1) % corners.length] as Corner)

describe.each(everywhere)('at %s°, turned by %s°', (latitude, angle) => {
  const field = rectangleAt([8.2, latitude], { length: 120, width: 40, angle })

  test('a rectangle by size is exact to 0.1 %', () => {
    expect(off(side(field, 0), 120)).toBeLessThan(0.001)
    expect(off(side(field, 1), 40)).toBeLessThan(0.001)
    expect(off(sizeOf(field), 4800)).toBeLessThan(0.001)
  })

  test('beds lie along the longest side, each of the size that was asked for to 0.1 %', () => {
    const { beds, outside } = bedsIn(field, { count: 20, length: 100, width: 0.75, path: 0.45 })
    expect(beds).toHaveLength(20)
    expect(outside).toBe(0)
    for (const bed of beds) {
      expect(off(side(bed, 0), 100)).toBeLessThan(0.001)
      expect(off(side(bed, 1), 0.75)).toBeLessThan(0.001)
      expect(off(sizeOf(bed), 75)).toBeLessThan(0.001)
    }
    const gap = metresBetween(beds[0]?.[3] as Corner, beds[1]?.[0] as Corner)
    expect(off(gap, 0.45)).toBeLessThan(0.002)
  })
})

describe('beds', () => {
  const field = rectangleAt([8.2, 47], { length: 120, width: 40, angle: 0 })

  test('are limited to what fits side by side, and to 200', () => {
    expect(roomFor(field, { width: 0.75, path: 0.45 })).toBe(33)
    expect(roomFor(field, { width: 0.1, path: 0.05 })).toBe(200)
  })

  test('are counted if they extend out of the area', () => {
    const plan = { count: 40, length: 100, width: 0.75, path: 0.45 }
    expect(bedsIn(field, plan).outside).toBe(7)
    expect(bedsIn(field, { ...plan, count: 20, length: 130 }).outside).toBe(20)
  })

  test('are as long as the shortest strip in a skewed area', () => {
    const askew: readonly Corner[] = [
      [8, 47],
      [8.002, 47],
      [8.0015, 47.0005],
      [8, 47.0005],
    ]
    const plan = { count: 20, width: 0.75, path: 0.45 }
    const length = longestFor(askew, plan)
    expect(length).toBeGreaterThan(100)
    expect(bedsIn(askew, { ...plan, length: length - 0.01 }).outside).toBe(0)
    expect(bedsIn(askew, { ...plan, length: length + 1 }).outside).toBeGreaterThan(0)
  })

  test('do not depend on the direction in which the area was drawn', () => {
    const plan = { count: 3, length: 100, width: 0.75, path: 0.45 }
    expect(bedsIn(field.toReversed(), plan).outside).toBe(0)
  })
})

test('names of beds continue the numbers of existing names', () => {
  expect(bedNames('Mill Field', 2, new Set())).toEqual(['Mill Field 1', 'Mill Field 2'])
  expect(bedNames('Mill', 2, new Set(['Mill 3', 'Mill Field 9', 'Mill x']))).toEqual(['Mill 4', 'Mill 5'])
  expect(nextName('North 2', new Set(['North 3']))).toBe('North 4')
  expect(nextName('Garden', new Set())).toBe('Garden 2')
})
