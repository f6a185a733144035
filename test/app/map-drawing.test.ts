import './english-words.ts'
import { describe, expect, test } from 'vitest'
import { metresBetween } from '../../src/fields/wkt/size.ts'
import { FreeSpace } from '../../web/look/place/free-space.ts'
import { isInside, labelPlaceOf } from '../../web/look/place/inside.ts'
import { extentOf, latitudeOf, onMap, stretchAt } from '../../web/look/place/mercator.ts'
import { neighboursOf } from '../../web/map/area-sheet.tsx'
import { inOrder, treeOf } from '../../web/map/area-tree.ts'
import { gridOf } from '../../web/map/areas-layer.ts'
import type { SitedArea } from '../../web/map/draw-areas.ts'
import { labelsIn } from '../../web/map/draw-labels.ts'
import {
  type DrawnArea,
  drawnArea,
  hasLabel,
  isDrawn,
  levelOf,
  pixelsOf,
  smallestVisible,
} from '../../web/map/drawn-area.ts'
import { scaleBar } from '../../web/map/map-controls.tsx'
import { countTags } from '../../web/map/use-farm-map.ts'
import type { LocalRecord } from '../../web/store/record.ts'

let count = 0

function area(name: string, fields: Record<string, unknown>): LocalRecord {
  const id = String(++count)
  return { uuid: `uuid-${id}`, type: 'term', id, bundle: 'farm_areas', name, version: '1', fields }
}

/** A rectangle by its south-western corner and its size in degrees. */
function rectangle([west, south]: readonly [number, number], [width, height]: readonly [number, number]): string {
  const [east, north] = [west + width, south + height]
  return `POLYGON ((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`
}

function drawn(wkt: string, type = 'paddock', name = 'North'): DrawnArea {
  const made = drawnArea(area(name, { area_type: type, geofield: [{ geom: wkt }] }))
  if (made === undefined) throw new Error(`nothing is drawn of ${wkt}`)
  return made
}

describe('the level of detail', () => {
  const field = drawn(rectangle([8, 50], [0.001, 0.001]))
  const [west, south, east, north] = field.extent
  const side = Math.sqrt((east - west) * (north - south))

  test('shows an area in another from six pixels on, and one in no other always', () => {
    expect(pixelsOf(field, side / 6)).toBeCloseTo(6)
    expect(isDrawn(6, 'below')).toBe(true)
    expect(isDrawn(5.9, 'below')).toBe(false)
    expect(isDrawn(0.1, 'top')).toBe(true)
  })

  test('writes a name from 44 pixels on', () => {
    expect(hasLabel(field, side / 44.1)).toBe(true)
    expect(hasLabel(field, side / 43.9)).toBe(false)
  })

  test('writes no name into a bed that is narrower than a line of text', () => {
    const bed = drawn(rectangle([8, 50], [0.01, 0.0001]), 'bed')
    const resolution = (bed.extent[3] - bed.extent[1]) / 8
    expect(pixelsOf(bed, resolution)).toBeGreaterThan(44)
    expect(hasLabel(bed, resolution)).toBe(false)
  })

  test('leaves out the smallest areas above the drawing limit', () => {
    expect(smallestVisible([7, 8, 9])).toBe(6)
    const many = Array.from({ length: 10_000 }, (_, index) => 6 + index / 1000)
    const least = smallestVisible(many)
    const drawn = many.filter((pixels) => pixels >= least).length
    expect(drawn).toBeLessThanOrEqual(2000)
    expect(drawn).toBeGreaterThan(0)
    expect(smallestVisible(many.map(() => Infinity))).toBe(6)
  })

  test('shows a line by its length and a point as if it had a size', () => {
    const brook = drawn('LINESTRING (8 50, 8.01 50)', 'water')
    expect(pixelsOf(brook, 10)).toBeCloseTo((brook.extent[2] - brook.extent[0]) / 10)
    const oak = drawn('POINT (8 50)', 'landmark')
    expect(isDrawn(pixelsOf(oak, 1), 'below')).toBe(true)
    expect(isDrawn(pixelsOf(oak, 10), 'below')).toBe(false)
  })
})

describe('what lies above what', () => {
  test('is decided by area type and parent', () => {
    const [property, field, building, bed] = ['property', 'field', 'building', 'bed'].map((type) =>
      levelOf(area(type, { area_type: type }), undefined),
    ) as [number, number, number, number]
    expect([property, field, building, bed]).toEqual([property, field, building, bed].toSorted((a, b) => a - b))
    expect(levelOf(area('Corner', { area_type: 'field' }), building)).toBeGreaterThan(building)
    expect(levelOf(area('Corner', { area_type: 'field' }), building)).toBeLessThan(bed)
    expect(levelOf(area('Silo', { area_type: 'silo' }), undefined)).toBe(
      levelOf(area('', { area_type: 'other' }), undefined),
    )
  })

  test('holes are wound the other way than their ring, whichever way both were drawn', () => {
    const hole = '(8.0002 50.0002, 8.0004 50.0002, 8.0004 50.0004, 8.0002 50.0002)'
    const turned = '(8.0002 50.0002, 8.0004 50.0004, 8.0004 50.0002, 8.0002 50.0002)'
    const around = rectangle([8, 50], [0.001, 0.001])
    const rings = [hole, turned].map((inner) => drawn(around.replace('))', `), ${inner})`)).areas[0])
    expect(rings[0]?.[1]?.toSorted()).toEqual(rings[1]?.[1]?.toSorted())
    for (const [outer = [], inner = []] of rings as number[][][])
      expect(Math.sign(twice(outer))).toBe(-Math.sign(twice(inner)))
  })
})

function twice(ring: readonly number[]): number {
  let sum = 0
  for (let at = 0; at + 3 < ring.length; at += 2)
    sum += (ring[at] as number) * (ring[at + 3] as number) - (ring[at + 2] as number) * (ring[at + 1] as number)
  return sum
}

describe('the tree of areas', () => {
  test('has areas without a parent as roots, sorted by type and natural name order', () => {
    const farm = area('Farm', { area_type: 'property' })
    const inFarm = { parent: [{ id: farm.id }] }
    const ten = area('North 10', { area_type: 'paddock', ...inFarm })
    const two = area('North 2', { area_type: 'paddock', ...inFarm })
    const barn = area('Barn', { area_type: 'building', ...inFarm })
    const { roots, below } = treeOf([barn, ten, farm, two])
    expect(roots).toEqual([farm])
    expect(inOrder(below(farm.id))).toEqual([two, ten, barn])
  })

  test('keeps areas with a missing parent or in a cycle', () => {
    const lost = area('Lost', { parent: [{ id: '9999' }] })
    const one = area('One', {})
    const other = area('Other', { parent: [{ id: one.id }] })
    const circle = [{ ...one, fields: { parent: [{ id: other.id }] } }, other]
    expect(treeOf([lost, ...circle]).roots).toHaveLength(3)
  })
})

describe('names on the map', () => {
  test('do not overlap: the first one gets the place', () => {
    const space = new FreeSpace()
    expect(space.take([0, 0, 100, 20])).toBe(true)
    expect(space.take([90, 10, 190, 30])).toBe(false)
    expect(space.take([100, 0, 200, 20])).toBe(true)
    expect(space.take([-50, -300, 400, -1])).toBe(true)
  })

  test('are in the middle of an area, and inside a bent one', () => {
    const [ring = []] = drawn(rectangle([8, 50], [0.002, 0.001])).areas[0] ?? []
    const [x, y] = labelPlaceOf([ring])
    const [west, south, east, north] = extentOf([ring]) ?? [0, 0, 0, 0]
    expect(x).toBeCloseTo((west + east) / 2, 3)
    expect(y).toBeCloseTo((south + north) / 2, 3)
    const bent = [0, 0, 10, 0, 10, 1, 1, 1, 1, 10, 0, 10, 0, 0]
    expect(isInside([bent], ...(labelPlaceOf([bent]) as [number, number]))).toBe(true)
  })
})

describe('the grid and the scale', () => {
  test.each([0, 50, 69])('have squares of 100 m on the ground at %s°', (latitude) => {
    const [x = 0, y = 0] = onMap([8, latitude])
    const { metres, upright, level } = gridOf([x, y, x + 2000, y + 2000], { resolution: 1, anchor: y })
    expect(metres).toBe(100)
    const [first, second] = upright
    const eastward = metresBetween(placeAt(first?.at ?? 0, y), placeAt(second?.at ?? 0, y))
    expect(Math.abs(eastward - 100)).toBeLessThan(0.1)
    const northward = metresBetween(placeAt(x, level[0]?.at ?? 0), placeAt(x, level[1]?.at ?? 0))
    expect(Math.abs(northward - 100)).toBeLessThan(0.1)
    expect(upright.map(({ number }) => Number(number)).every((number) => number >= 0 && number < 100)).toBe(true)
  })

  test('grow tenfold if squares would be too small', () => {
    const extent = [0, 0, 10_000, 10_000] as const
    expect(gridOf(extent, { resolution: 4, anchor: 0 }).metres).toBe(100)
    expect(gridOf(extent, { resolution: 5, anchor: 0 }).metres).toBe(1000)
  })

  test('are told in round lengths of the units of the farm', () => {
    expect(scaleBar(1, { most: 110, units: 'metric' })).toEqual({ pixels: 100, amount: 100, unit: 'm' })
    expect(scaleBar(30, { most: 110, units: 'metric' })).toMatchObject({ amount: 2, unit: 'km' })
    expect(scaleBar(1, { most: 110, units: 'us' })).toMatchObject({ amount: 200, unit: 'ft' })
    expect(scaleBar(30, { most: 110, units: 'us' })).toMatchObject({ amount: 2, unit: 'mi' })
  })
})

function placeAt(x: number, y: number): readonly [number, number] {
  return [(x / 6_378_137) * (180 / Math.PI), latitudeOf(y)]
}

test('a metre on the ground is longer on the map, by the same at the equator', () => {
  expect(stretchAt(0).east).toBeCloseTo(1, 6)
  const [, y = 0] = onMap([0, 60])
  expect(stretchAt(y).east).toBeCloseTo(2, 1)
})

test('the neighbours of an area lie beside it, to the west and to the east', () => {
  const [one, two, three, above] = [0, 0.001, 0.002]
    .map((shift, index) => drawn(rectangle([8 + shift, 50], [0.001, 0.001]), 'paddock', `North ${index + 1}`))
    .concat(drawn(rectangle([8.0011, 50.002], [0.001, 0.001]), 'paddock', 'Hill')) as [
    DrawnArea,
    DrawnArea,
    DrawnArea,
    DrawnArea,
  ]
  const all = [three, above, one, two]
  expect(neighboursOf(two, all)).toEqual({ west: one, east: three })
  expect(neighboursOf(one, all)).toEqual({ east: two })
})

test('a count has one figure per icon: animals first, at most two', () => {
  const isAnimal = true
  const tags = countTags([
    { icon: 'cow', count: 40, isAnimal },
    { icon: 'carrot', count: 300, isAnimal: false },
    { icon: 'sheep', count: 97, isAnimal },
    { icon: 'cow', count: 2, isAnimal },
  ])
  expect(tags).toEqual([
    { icon: 'sheep', text: '97', isAnimal },
    { icon: 'cow', text: '42', isAnimal },
  ])
  const three = countTags([
    { icon: 'cow', count: 42, isAnimal },
    { icon: 'sheep', count: 97, isAnimal },
    { icon: 'hen', count: 30, isAnimal },
  ])
  expect(three.map(({ text }) => text)).toEqual(['97', '+72'])
})

describe('what is written on areas', () => {
  const sited = (area: DrawnArea, holds: SitedArea['holds'] = 'nothing'): SitedArea => {
    return { area, level: 0, parent: undefined, standing: 'top', holds }
  }
  const corner = [8, 50] as const
  const farm = sited(drawn(rectangle(corner, [0.02, 0.02]), 'property', 'Farm'), 'areas')
  const yard = sited(drawn(rectangle(corner, [0.004, 0.004]), 'other', 'Yard'), 'areas')
  const field = sited(drawn(rectangle(corner, [0.003, 0.003]), 'field', 'Field'))
  const barn = sited(drawn(rectangle(corner, [0.0002, 0.0002]), 'building', 'Barn'))
  const shed = sited(drawn(rectangle(corner, [0.0002, 0.0002]), 'building', 'Shed'))
  const labels = (withAnimals: readonly SitedArea[], chosen?: SitedArea) =>
    labelsIn([farm, yard, field, barn, shed], {
      chosen: chosen?.area.id,
      resolution: 4,
      hasAnimals: (id) => withAnimals.some(({ area }) => area.id === id),
    }).map(({ sited, isNamed }) => (isNamed ? sited.area.name : `(${sited.area.name})`))

  test('is the name, the largest areas first, without the property and small areas', () => {
    expect(labels([])).toEqual(['Yard', 'Field'])
  })
  test('is also a count on any area with animals, before areas without', () => {
    expect(labels([barn])).toEqual(['(Barn)', 'Yard', 'Field'])
  })
  test('begins with the chosen area, and an area comes after those that lie in it', () => {
    expect(labels([barn, yard])).toEqual(['(Barn)', 'Yard', 'Field'])
    expect(labels([barn], shed)).toEqual(['Shed', '(Barn)', 'Yard', 'Field'])
  })
})

test('a count is in pencil while part of it is unsent', () => {
  const tags = countTags([
    { icon: 'cow', count: 40, isAnimal: true },
    { icon: 'cow', count: 2, isAnimal: true, waiting: true },
    { icon: 'carrot', count: 1, isAnimal: false },
  ])
  expect(tags).toEqual([
    { icon: 'cow', text: '42', isAnimal: true, waiting: true },
    { icon: 'carrot', text: '1', isAnimal: false },
  ])
})
