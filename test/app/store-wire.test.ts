import { expect, test } from 'vitest'
import { assetsNamedIn, type CatalogueDocument, rowOf } from '../../web/store/record.ts'
import { trimmedFromWire } from '../../web/store/wire-record.ts'

const catalogue: CatalogueDocument = {
  catalogue: 'x',
  lists: {},
  types: {
    log: {},
    farm_asset: {},
    taxonomy_term: { farm_areas: { label: 'Area', plural: 'Areas', id: '2', fields: {} } },
  },
}

const reference = (id: string, resource: string) => ({ uri: `http://farm.example/${resource}/${id}`, id, resource })

const harvest = {
  id: '7',
  name: 'Harvest leek',
  type: 'farm_harvest',
  uid: reference('1', 'user'),
  timestamp: '1780000000',
  done: '0',
  asset: [reference('5', 'farm_asset')],
  area: [],
  flags: ['review'],
  images: ['http://farm.example/file/21/leek.png'],
  inventory: [{ asset: reference('9', 'farm_asset'), value: '3' }],
  membership: { group: [] },
  movement: { area: [{ ...reference('12', 'taxonomy_term'), name: 'Bed 3' }], geometry: null },
  notes: [],
  lot_number: '2026-161-LK',
  url: 'http://farm.example/log/7',
  uuid: '0198',
  version: '3.edition',
}

test('a record of the copy has no addresses and no empty values', () => {
  expect(trimmedFromWire(harvest, { type: 'log', catalogue })).toEqual({
    uuid: '0198',
    type: 'log',
    id: '7',
    bundle: 'farm_harvest',
    name: 'Harvest leek',
    version: '3.edition',
    fields: {
      uid: { id: '1' },
      timestamp: '1780000000',
      done: '0',
      asset: [{ id: '5' }],
      flags: ['review'],
      images: ['/file/21/leek.png'],
      inventory: [{ asset: { id: '9' }, value: '3' }],
      movement: { area: [{ id: '12', name: 'Bed 3' }] },
      lot_number: '2026-161-LK',
    },
  })
})

test('an address in a text of the user is not changed', () => {
  const written = 'https://elsewhere.example/file/3/plan.pdf'
  const { fields } = trimmedFromWire({ ...harvest, lot_number: written }, { type: 'log', catalogue })
  expect(fields.lot_number).toBe(written)
})

test('a term is of the vocabulary that its number stands for on this farm', () => {
  const wire = { id: '12', name: 'Bed 3', vocabulary: reference('2', 'taxonomy_vocabulary'), uuid: 'u', version: '1.e' }
  expect(trimmedFromWire(wire, { type: 'term', catalogue })).toMatchObject({ bundle: 'farm_areas', fields: {} })
})

test('an archived asset keeps its name, type and UUID', () => {
  const wire = {
    id: '5',
    name: 'Rosa',
    type: 'animal',
    archived: '1700000000',
    flags: ['monitor'],
    uuid: 'u',
    version: '1.e',
  }
  expect(trimmedFromWire(wire, { type: 'asset', catalogue })).toMatchObject({
    name: 'Rosa',
    bundle: 'animal',
    fields: { archived: '1700000000' },
  })
})

test('a log is found by all that it names, newest first', () => {
  const log = trimmedFromWire(harvest, { type: 'log', catalogue })
  expect(assetsNamedIn(log)).toEqual(['5', '9'])
  const { refs, minusTime } = rowOf(log)
  expect(minusTime).toBe(-1_780_000_000)
  expect(refs.map(([ref]) => ref)).toEqual([
    'asset:5',
    'asset:9',
    'area:12',
    'pending',
    'flagged',
    'lot:2026-161-lk',
    'word:harvest',
    'word:leek',
  ])
})
