import './english-words.ts'
import { describe, expect, test } from 'vitest'
import { parseCoordinates } from '../../web/map/coordinates.ts'
import { partName } from '../../web/map/draw/area-names.ts'
import { snapped } from '../../web/map/draw/draw-page.tsx'
import { drawingOf, undone, withCorner, withMiddle, withMoved, withoutCorner } from '../../web/map/draw/drawing.ts'
import {
  type Corner,
  cornerAt,
  crossesItself,
  crossesPath,
  formOf,
  mapSpotOf,
  rectangleAt,
  shapeIn,
  sizeOf,
  wktOf,
} from '../../web/map/draw/geometry.ts'
import { splitBy } from '../../web/map/draw/split-area.tsx'
import { fixQuality } from '../../web/map/draw/walk-panel.tsx'
import { drawnArea } from '../../web/map/drawn-area.ts'
import type { LocalRecord } from '../../web/store/record.ts'

const square: readonly Corner[] = [
  [8, 47],
  [8.002, 47],
  [8.002, 47.001],
  [8, 47.001],
]

test('corners are written as text and read back, as a point, a line or an area', () => {
  expect(wktOf(square.slice(0, 1), formOf(square.slice(0, 1)))).toBe('POINT (8 47)')
  expect(wktOf(square.slice(0, 2), formOf(square.slice(0, 2)))).toBe('LINESTRING (8 47, 8.002 47)')
  expect(shapeIn([wktOf(square, 'area')])).toEqual({ corners: square, form: 'area' })
  expect(shapeIn([wktOf(square, 'line')])).toEqual({ corners: square, form: 'line' })
  expect(cornerAt(mapSpotOf([8.123456789, 47.987654321]))).toEqual([8.123456789, 47.987654321])
})

test('a geometry with several parts or holes is not a single shape', () => {
  const hole = '(8.0005 47.0002, 8.001 47.0002, 8.001 47.0004, 8.0005 47.0002)'
  expect(shapeIn([wktOf(square, 'area').replace('))', `), ${hole})`)])).toBeUndefined()
  expect(shapeIn([wktOf(square, 'area'), 'POINT (8 47)'])).toBeUndefined()
  expect(shapeIn([])).toBeUndefined()
})

test('every step can be undone: adding, moving, removing, splitting a side', () => {
  const begun = withCorner(drawingOf(square.slice(0, 3)), [8, 47.001])
  const steps = [withMoved(begun, 0, [7, 46]), withoutCorner(begun, 1), withMiddle(begun, 3), begun]
  expect(withMiddle(begun, 3).corners[4]).toEqual([8, 47.0005])
  expect(withMiddle(begun, 0).corners[1]).toEqual([8.001, 47])
  for (const step of steps.slice(0, 3)) expect(undone(step).corners).toEqual(square)
  expect(undone(begun).corners).toEqual(square.slice(0, 3))
  expect(undone(drawingOf(square)).corners).toEqual(square)
})

test('crossing sides are found, sides that share a corner are not', () => {
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
  ] as const
  expect(crossesItself(ring)).toBe(false)
  expect(crossesItself([ring[0], ring[2], ring[1], ring[3]])).toBe(true)
})

test('a new side that crosses an earlier one is found before its corner is set', () => {
  const path = [
    [8.2, 50],
    [8.21, 50],
    [8.21, 50.01],
  ] as const
  expect(crossesPath(path, [8.2, 50.01])).toBe(false)
  expect(crossesPath(path, [8.205, 49.99])).toBe(true)
  expect([crossesPath([], path[0]), crossesPath(path.slice(0, 1), path[1])]).toEqual([false, false])
})

test('a part that is split off has a letter, since beds have numbers', () => {
  expect(partName('North 2', new Set(['North 2']))).toBe('North 2 B')
  expect(partName('North 2 B', new Set(['North 2', 'North 2 B']))).toBe('North 2 C')
})

describe('a line across an area', () => {
  const area = rectangleAt([8.2, 50], { length: 200, width: 100, angle: 20 })
  const whole = sizeOf(area)
  const at = (east: number, north: number): Corner => [8.2 + east / 71_700, 50 + north / 111_200]

  test.each([
    ['beyond its sides', [at(-300, 20), at(300, 40)]],
    ['within it, and so made longer', [at(-10, 20), at(10, 22)]],
    ['with a bend', [at(-300, 20), at(0, 60), at(300, 20)]],
  ])('that is drawn %s makes two of it, whose sizes add up', (_how, line) => {
    const split = splitBy(area, line)
    expect(split).toBeDefined()
    const [off, rest] = [sizeOf(split?.off ?? []), sizeOf(split?.rest ?? [])]
    expect(off).toBeLessThanOrEqual(rest)
    expect(off).toBeGreaterThan(whole / 20)
    expect(Math.abs((off + rest) / whole - 1)).toBeLessThan(0.0001)
  })

  test('from corner to corner makes two triangles', () => {
    const split = splitBy(area, [area[0] as Corner, area[2] as Corner])
    expect(split?.off).toHaveLength(3)
    expect(Math.abs(sizeOf(split?.off ?? []) / whole - 0.5)).toBeLessThan(0.001)
  })

  test('splits nothing if it misses the area or crosses it twice', () => {
    expect(splitBy(area, [at(-300, 300), at(300, 300)])).toBeUndefined()
    expect(splitBy(area, [at(-300, 20), at(300, 20), at(300, -20), at(-300, -20)])).toBeUndefined()
    expect(splitBy(area, [at(0, 0)])).toBeUndefined()
  })
})

describe('the cross', () => {
  const neighbour = drawnArea({
    id: '1',
    name: 'North 2',
    fields: { geofield: [{ geom: wktOf(square, 'area') }] },
  } as unknown as LocalRecord)
  const areas = neighbour === undefined ? [] : [neighbour]
  const [x, y] = mapSpotOf([8.002, 47.001])

  test('snaps to a corner within 12 pixels, before a side', () => {
    expect(snapped([x + 11, y - 3], areas, 1)).toEqual({ at: [x, y], to: 'North 2' })
    expect(snapped([x + 13, y - 3], areas, 1).at[0]).toBe(x + 13)
    expect(snapped([x + 13, y - 3], areas, 2)).toEqual({ at: [x, y], to: 'North 2' })
  })

  test('snaps to a side if no corner is near', () => {
    const { at, to } = snapped([x + 5, y - 40], areas, 1)
    expect(to).toBe('North 2')
    expect(at[0]).toBeCloseTo(x, 3)
    expect(at[1]).toBeCloseTo(y - 40, 3)
    expect(snapped([x + 20, y - 40], areas, 1)).toEqual({ at: [x + 20, y - 40], to: null })
  })
})

test('a rough or old position sets no corner', () => {
  expect(fixQuality({ accuracy: 10, at: 1000 }, 6000)).toBe('good')
  expect(fixQuality({ accuracy: 10.1, at: 1000 }, 6000)).toBe('rough')
  expect(fixQuality({ accuracy: 3, at: 1000 }, 6001)).toBe('old')
})

test.each([
  ['47.1, 8.24', [8.24, 47.1]],
  ['47.1 8.24', [8.24, 47.1]],
  ['47,1 8,24', [8.24, 47.1]],
  ['-33.5, -70.2', [-70.2, -33.5]],
  ['33.5 S, 70.2 W', [-70.2, -33.5]],
  ['8.24 E 47.1 N', [8.24, 47.1]],
  ['47°06′00″N 8°12′00″E', [8.2, 47.1]],
  ['47.1', undefined],
  ['over there', undefined],
  ['147.1, 8.24', undefined],
])('"%s" is a place, or none', (typed, place) => {
  expect(parseCoordinates(typed)).toEqual(place)
})
