import { beforeEach, expect, test } from 'vitest'
import { forgetRecords, showChange } from '../../web/store/overlay.ts'
import type { LocalStay } from '../../web/store/record.ts'
import {
  contentsOf,
  forgetStays,
  groupsOf,
  membersOf,
  placesOf,
  restOf,
  showStays,
  staysIn,
} from '../../web/store/stays.ts'

const day = 86_400
const stay = (asset: string, place: string, from: number, until: number | null): LocalStay => ({
  asset,
  place,
  placeType: 'area',
  log: `${from}`,
  from: from * day,
  until: until === null ? null : until * day,
})

const asset = (id: string, bundle: string) =>
  ({ uuid: id, type: 'asset', id, bundle, name: id, version: '1.e', fields: {} }) as const

beforeEach(() => {
  forgetRecords()
  forgetStays()
  showChange({ kept: [asset('cow', 'animal'), asset('herd', 'group'), asset('leek', 'planting')], removed: [] })
  showStays([
    { kind: 'movement', asset: 'cow', stays: [stay('cow', 'hill', 10, 20), stay('cow', 'byre', 20, null)] },
    { kind: 'movement', asset: 'leek', stays: [stay('leek', 'hill', 5, null)] },
    { kind: 'membership', asset: 'cow', stays: [{ ...stay('cow', 'herd', 12, null), placeType: 'asset' }] },
  ])
})

const placesAt = (at: number) => placesOf('cow', at * day).map(({ place }) => place)

test('a stay begins with its first second and ends before its last', () => {
  expect([9, 10, 19, 20, 99].map(placesAt)).toEqual([[], ['hill'], ['hill'], ['byre'], ['byre']])
})

test('an area lists present and past contents in time order', () => {
  expect(contentsOf('hill', 15 * day).map((one) => one.asset)).toEqual(['leek', 'cow'])
  expect(contentsOf('hill', 25 * day).map((one) => one.asset)).toEqual(['leek'])
  expect(staysIn('hill').map((one) => one.from / day)).toEqual([5, 10])
})

test('a group has its members from the time they joined', () => {
  expect(groupsOf('cow', 11 * day)).toEqual([])
  expect(groupsOf('cow', 12 * day).map(({ place }) => place)).toEqual(['herd'])
  expect(membersOf('herd', 12 * day).map((one) => one.asset)).toEqual(['cow'])
})

test('an area rests from the day its last animal has left; what grows there is no animal', () => {
  expect(restOf('hill', 15 * day)).toBeNull()
  expect(restOf('hill', 27.5 * day)).toBe(7)
  expect(restOf('byre', 27 * day)).toBeNull()
  expect(restOf('nowhere')).toBeNull()
})

test('stays that are loaded again replace the old ones', () => {
  showStays([{ kind: 'movement', asset: 'cow', stays: [] }])
  expect(placesAt(15)).toEqual([])
  expect(staysIn('byre')).toEqual([])
})
