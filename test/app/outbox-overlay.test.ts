import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../src/client/changes.ts'
import { occupantsOf } from '../../web/look/place/occupants.ts'
import { areas, assetBy, assets, log, termBy } from '../../web/store/local-copy.ts'
import { outbox } from '../../web/store/outbox.ts'
import type { Entry } from '../../web/store/outbox-entry.ts'
import { forgetRecords, showChange, showOutbox, withUnsent } from '../../web/store/overlay.ts'
import { isOnlyAName } from '../../web/store/record.ts'
import { searchNames } from '../../web/store/search.ts'
import {
  assetsMovedBy,
  contentsOf,
  forgetStays,
  groupsOf,
  membersOf,
  placesOf,
  showStays,
  staysOf,
} from '../../web/store/stays.ts'
import { change, kept, make, PlainOutbox } from './outbox-entries.ts'

const rosa = kept('rosa', '5', { type: 'asset', bundle: 'animal', name: 'Rosa', fields: { flags: ['monitor'] } })
const herd = kept('herd', '6', { type: 'asset', bundle: 'group', name: 'Herd' })
const hill = kept('hill', '7', { type: 'term', bundle: 'farm_areas', name: 'Hill' })
const moved = kept('moved', '30', {
  fields: { done: '1', timestamp: '100', asset: [{ id: '5' }], movement: { area: [{ id: '7' }] } },
})

let waiting: PlainOutbox
const [calf, pond, move] = [newUuid(), newUuid(), newUuid()]

beforeEach(() => {
  forgetRecords()
  forgetStays()
  waiting = new PlainOutbox(rosa, herd, hill, moved)
  showChange({ kept: [rosa, herd, hill], removed: [] })
  const stay = { asset: '5', place: '7', placeType: 'area', log: '30', from: 100, until: null } as const
  showStays([{ kind: 'movement', asset: '5', stays: [stay] }])
})

afterEach(() => {
  showOutbox([], [])
  forgetRecords()
  forgetStays()
})

const show = (entries: readonly Entry[] = waiting.entries) => showOutbox(entries, [moved])

describe('an unsent record', () => {
  test('has its UUID as id, and its number once the server has given one', () => {
    waiting.save([make(calf, { name: 'Calf' }, 'asset')])
    show()
    expect(assets.value.get(calf)).toMatchObject({ id: calf, uuid: calf, name: 'Calf', waiting: true, version: '' })
    expect(searchNames('calf').map(({ uuid }) => uuid)).toEqual([calf])
    const numbered = kept(calf, '9', { type: 'asset', bundle: 'animal', name: 'Calf' })
    showChange({ kept: [numbered], removed: [] })
    show([])
    expect([...assets.value.keys()]).toEqual(['5', '6', '9'])
    expect(assetBy(calf)).toEqual(numbered)
    expect(assetBy('9')).toEqual(numbered)
  })

  test('is found by its references, before and after it has a number', async () => {
    waiting.save([make(pond, { name: 'Pond', area_type: 'water' }, 'term')])
    waiting.save([make(move, { done: '1', timestamp: 200, asset: [{ id: '5' }], movement: { area: [{ id: pond }] } })])
    show()
    expect(areas().map(({ name }) => name)).toEqual(['Hill', 'Pond'])
    expect((await log(move))?.fields.movement).toEqual({ area: [{ id: pond, name: 'Pond' }] })
    showChange({ kept: [kept(pond, '8', { type: 'term', bundle: 'farm_areas', name: 'Pond' })], removed: [] })
    show(waiting.entries.slice(1))
    expect((await log(move))?.fields.movement).toEqual({ area: [{ id: '8', name: 'Pond' }] })
    expect(placesOf('5', 300)).toMatchObject([{ place: '8', log: move, waiting: true }])
  })

  test('is not applied twice if the server has it and only the answer was lost', () => {
    waiting.save([make(calf, { name: 'Calf' }, 'asset')])
    showChange({ kept: [kept(calf, '9', { type: 'asset', bundle: 'animal', name: 'Calf 9' })], removed: [] })
    show()
    expect(assetBy(calf)).toMatchObject({ id: '9', name: 'Calf 9', waiting: true })
    expect(assets.value.has(calf)).toBe(false)
  })
})

describe('an unsent change', () => {
  test('is applied on top of the current record of the server', () => {
    waiting.save([change('rosa', { name: 'Rosa II', flags: null }, 'asset')])
    show()
    expect(assetBy('5')).toMatchObject({ name: 'Rosa II', fields: {}, waiting: true })
    expect(assetBy('5')?.fields).not.toHaveProperty('flags')
    showChange({ kept: [{ ...rosa, name: 'Rose', fields: { description: { value: 'lame' } } }], removed: [] })
    expect(assetBy('5')).toMatchObject({ name: 'Rosa II', fields: { description: { value: 'lame' } } })
    show([])
    expect(assetBy('5')).toMatchObject({ name: 'Rose' })
    expect(assetBy('5')?.waiting).toBeUndefined()
  })

  test('of a record outside of the copy is shown on top of the record as read', async () => {
    const read = kept('old', '2', { name: 'Old', fields: { done: '1', timestamp: '50' } })
    waiting.save([{ verb: 'change', type: 'log', uuid: 'old', fields: { notes: 'found' }, read }])
    show()
    expect(await log('2')).toMatchObject({ id: '2', name: 'Old', fields: { timestamp: '50', notes: 'found' } })
  })

  test('of an archived asset does not make it complete until the server has sent the rest', () => {
    const archived = { ...rosa, fields: { archived: '90' } }
    showChange({ kept: [archived], removed: [] })
    waiting = new PlainOutbox(archived)
    waiting.save([change('rosa', { archived: null, description: { value: 'lame' } }, 'asset')])
    show()
    expect(assetBy('5')).toMatchObject({ fields: { description: { value: 'lame' } }, waiting: true })
    expect(isOnlyAName(assetBy('5') ?? rosa)).toBe(true)
    const whole = withUnsent('rosa', { ...rosa, fields: { archived: '90', flags: ['monitor'] } })
    expect(whole?.fields).toEqual({ flags: ['monitor'], description: { value: 'lame' } })
    expect(isOnlyAName(whole ?? archived)).toBe(false)
  })

  test('is still shown while everything is loaded again', () => {
    waiting.save([make(calf, { name: 'Calf' }, 'asset'), change('rosa', { name: 'Rosa II' }, 'asset')])
    show()
    forgetStays()
    forgetRecords()
    expect(assetBy(calf)?.name).toBe('Calf')
    expect(assetBy('5')?.name).toBe('Rosa II')
    expect(outbox.value).toHaveLength(2)
  })
})

test('a record with an unsent removal is hidden, and shown again after Undo', async () => {
  waiting.save([{ verb: 'remove', type: 'term', uuid: 'hill' }])
  waiting.save([{ verb: 'remove', type: 'log', uuid: 'moved' }])
  show()
  expect(termBy('7')).toBeUndefined()
  expect(await log('moved')).toBeUndefined()
  expect(placesOf('5', 300)).toEqual([])
  expect(assetsMovedBy('30')).toEqual(['5'])
  show([])
  expect(termBy('7')).toEqual(hill)
  expect(placesOf('5', 300)).toHaveLength(1)
})

describe('an unsent log that moves', () => {
  const moves = (fields: object) =>
    waiting.save([make(move, { done: '1', timestamp: '200', asset: [{ id: '5' }], ...fields })])

  test('shows at once as unsent, in time order', () => {
    moves({ movement: { area: [{ id: '8' }] } })
    show()
    expect(staysOf('5')).toEqual([
      { asset: '5', place: '7', placeType: 'area', log: '30', from: 100, until: 200 },
      { asset: '5', place: '8', placeType: 'area', log: move, from: 200, until: null, waiting: true },
    ])
    expect(contentsOf('7', 300)).toEqual([])
    expect(contentsOf('8', 300).map(({ asset }) => asset)).toEqual(['5'])
    expect(occupantsOf('8', 300)).toMatchObject([{ asset: { name: 'Rosa' }, waiting: true }])
    expect(occupantsOf('7', 150)).toMatchObject([{ asset: { name: 'Rosa' } }])
    expect(occupantsOf('7', 150)[0]).not.toHaveProperty('waiting')
  })

  test('changes nothing now if a later move is known', () => {
    moves({ timestamp: '60', movement: { area: [{ id: '8' }] } })
    show()
    expect(placesOf('5', 300).map(({ place }) => place)).toEqual(['7'])
    expect(placesOf('5', 80).map(({ place }) => place)).toEqual(['8'])
  })

  test('makes its animals members of a group', () => {
    moves({ membership: { group: [{ id: '6' }] } })
    show()
    expect(groupsOf('5', 300)).toMatchObject([{ place: '6', waiting: true }])
    expect(membersOf('6', 300).map(({ asset }) => asset)).toEqual(['5'])
    expect(placesOf('5', 300).map(({ place }) => place)).toEqual(['7'])
  })

  test('moves nothing while it is planned or has no place', () => {
    moves({ done: '0', movement: { area: [{ id: '8' }] } })
    waiting.save([make(newUuid(), { done: '1', timestamp: '210', asset: [{ id: '5' }], movement: { area: [] } })])
    show()
    expect(placesOf('5', 300).map(({ place }) => place)).toEqual(['7'])
  })

  test('with a geometry alone leaves every area', () => {
    moves({ movement: { geometry: 'POINT (1 2)' } })
    show()
    expect(placesOf('5', 300)).toMatchObject([{ place: null, placeType: null }])
  })

  test('replaces the sent log that it corrects', () => {
    waiting.save([change('moved', { movement: { area: [{ id: '8' }] }, timestamp: '120' })])
    show()
    expect(staysOf('5')).toMatchObject([{ place: '8', from: 120, until: null, log: '30', waiting: true }])
    showStays([
      {
        kind: 'movement',
        asset: '5',
        stays: [
          { ...stayAt('7'), from: 90 },
          { ...stayAt('9'), from: 110 },
        ],
      },
    ])
    expect(staysOf('5').map(({ place }) => place)).toEqual(['9', '8'])
  })

  const stayAt = (place: string) =>
    ({ asset: '5', place, placeType: 'area', log: place === '9' ? '31' : '30', from: 0, until: null }) as const

  test('keeps the end of a stay that no log of the copy explains', () => {
    showStays([{ kind: 'movement', asset: '5', stays: [{ ...stayAt('7'), from: 100, until: 150 }] }])
    moves({ movement: { area: [{ id: '8' }] } })
    show()
    expect(staysOf('5').map(({ from, until }) => [from, until])).toEqual([
      [100, 150],
      [200, null],
    ])
  })
})
