import './english-words.ts'
import { describe, expect, test } from 'vitest'
import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import { readValues } from '../../web/forms/form-result.ts'

const fields: CatalogueFields = {
  name: { label: 'Name', kind: 'text', required: true, max_length: 5 },
  timestamp: { label: 'Timestamp', kind: 'timestamp', required: true },
  count: { label: 'Frames', kind: 'whole', min: 0, max: 10 },
  flags: { label: 'Flags', kind: 'choice', many: true, list: 'flags', open: true },
  sex: { label: 'Sex', kind: 'choice', list: 'sexes' },
  asset: { label: 'Assets', kind: 'reference', many: true, to: 'farm_asset' },
  notes: { label: 'Notes', kind: 'rich-text' },
  geofield: { label: 'Geometry', kind: 'geometry', many: true },
  period: { label: 'Period', kind: 'period' },
  quantity: {
    label: 'Quantity',
    kind: 'part',
    many: true,
    fields: {
      measure: { label: 'Measure', kind: 'choice', list: 'measures' },
      value: { label: 'Value', kind: 'decimal', required: true },
      unit: { label: 'Unit', kind: 'reference', to: 'taxonomy_term', within: ['farm_quantity_units'] },
    },
  },
}
const word = (value: string) => ({ value, label: value })
const lists = { flags: [word('review')], sexes: [word('F'), word('M')], measures: [word('weight')] }
const by = { now: 1_780_000_000, lists }
const sound = { name: 'Leek', timestamp: '1600000000' }
const read = (values: object) => readValues(fields, { ...sound, ...values }, by)
const placesOf = (values: object) => read(values).faults.map(({ at }) => at)

describe('what was typed and chosen', () => {
  test('is sent as the record interface reads it', () => {
    const given = {
      timestamp: 'now',
      count: ' 7 ',
      flags: ['review', 'wet'],
      asset: [{ id: '5', name: 'Rosa' }, { uuid: 'a-b' }, { name: ' Leek ' }],
      notes: { value: 'Dug', format: 'plain_text' },
      geofield: [{ geom: ' POINT (8.2 47.1) ' }],
      quantity: [{ measure: 'weight', value: '18,5', unit: { name: 'kg' } }],
    }
    expect(read(given)).toEqual({
      faults: [],
      values: {
        name: 'Leek',
        timestamp: '1780000000',
        count: '7',
        flags: ['review', 'wet'],
        asset: [{ id: '5' }, { uuid: 'a-b' }, { name: 'Leek' }],
        notes: { value: 'Dug', format: 'plain_text' },
        geofield: [{ geom: 'POINT (8.2 47.1)' }],
        quantity: [{ measure: 'weight', value: '18.5', unit: { name: 'kg' } }],
      },
    })
  })

  test('omits empty rows and parts', () => {
    const empty = {
      quantity: [null, { unit: undefined }],
      asset: [],
      notes: { value: ' ' },
      flags: [''],
      geofield: [null],
    }
    expect(read(empty)).toEqual({ faults: [], values: sound })
  })
})

describe('the checks before saving', () => {
  test('require mandatory fields, also inside a part with values', () => {
    expect(placesOf({ name: ' ' })).toEqual(['name'])
    expect(placesOf({ timestamp: undefined })).toEqual(['timestamp'])
    expect(placesOf({ quantity: [{ value: '1' }, { measure: 'weight' }] })).toEqual(['quantity[1].value'])
  })

  test.each([
    ['a text that is too long', { name: 'Leeks!' }, 'name'],
    ['a whole number with decimals', { count: '1.5' }, 'count'],
    ['a number below the least', { count: '-1' }, 'count'],
    ['a number above the most', { count: '11' }, 'count'],
    ['a word that is no number', { quantity: [{ value: 'two' }] }, 'quantity[0].value'],
    ['a number with both signs', { quantity: [{ value: '1,234.5' }] }, 'quantity[0].value'],
    ['a word that cannot be chosen', { sex: 'X' }, 'sex'],
    ['a word that is too long', { flags: ['x'.repeat(65)] }, 'flags[0]'],
    ['a shape that is none', { geofield: [{ geom: 'over there' }] }, 'geofield[0]'],
    ['a time that does not exist', { timestamp: '1600000000000' }, 'timestamp'],
    ['a period that ends before it begins', { period: { value: '20', value2: '10' } }, 'period'],
    ['a period without an end', { period: { value: '20' } }, 'period'],
  ])('tell %s at its field, in words', (_what, values, at) => {
    const { faults } = read(values)
    expect(faults).toHaveLength(1)
    expect(faults[0]?.at).toBe(at)
    expect(faults[0]?.words).toMatch(/\.$/)
  })

  test('count characters, not bytes', () => {
    expect(placesOf({ name: '🐄🐄🐄🐄🐄' })).toEqual([])
  })

  test('report all faults at once', () => {
    expect(placesOf({ name: '', count: 'x', quantity: [{ value: 'y' }] })).toEqual([
      'name',
      'count',
      'quantity[0].value',
    ])
  })
})
