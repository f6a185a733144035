import { describe, expect, test } from 'vitest'
import { readAttribute } from '../../src/doors/api/values/attributes.ts'
import { readFraction } from '../../src/doors/api/values/fraction.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { choice } from '../../src/fields/choice.ts'
import type { Field } from '../../src/fields/field.ts'
import { geometry } from '../../src/fields/geometry.ts'
import { decimal, whole, yesNo } from '../../src/fields/number.ts'
import { part } from '../../src/fields/part.ts'
import { type InputPlace, placeAt } from '../../src/fields/place.ts'
import { longText, richText, text } from '../../src/fields/text.ts'
import { period, timestamp } from '../../src/fields/time.ts'
import type { Draft } from '../../src/fields/value.ts'
import type { RefusalFault } from '../../src/refusal.ts'

interface Read {
  readonly draft: Draft | undefined
  readonly faults: readonly RefusalFault[]
}

function readAt(read: (place: InputPlace) => Draft | undefined): Read {
  const faults: RefusalFault[] = []
  const draft = read(placeAt('it', { faults, words: () => [] }))
  return { draft, faults }
}

const readOf = (field: Field, input: unknown): Read =>
  readAt((place) => readAttribute(field, input, { farm: stockFarm, place }))

const gives = (field: Field, input: unknown, draft: Draft | undefined) =>
  expect(readOf(field, input)).toStrictEqual({ draft, faults: [] })

/** The faults as `where: what`. */
const faultsOf = ({ faults }: Read): readonly string[] =>
  faults.map(({ field, message, allowed }) => `${field}: ${message}${allowed ? ` [${allowed.join(' ')}]` : ''}`)

const refuses = (field: Field, input: unknown, ...faults: readonly string[]) =>
  expect(faultsOf(readOf(field, input))).toEqual(faults.map((fault) => expect.stringContaining(fault)))

const half = 1_717_997_400

describe('a time is read', () => {
  test.each([
    [half, half],
    [String(half), half],
    ['2024-06-10T05:30:00+00:00', half],
    ['2024-06-10T05:30:00Z', half],
    ['2024-06-10t05:30:00z', half],
    ['2024-06-10T07:30:00+0200', half],
    ['2024-06-10T07:30:00+02:00', half],
    ['2024-06-10T01:00:00-04:30', half],
    ['2024-06-10T05:30:00.000Z', half],
    ['2024-06-10T05:30:00.0+00:00', half],
    [0, 0],
    ['0', 0],
    ['1970-01-01T00:00:00+00:00', 0],
    [-1, -1],
    ['1969-12-31T23:59:59Z', -1],
    ['0001-01-01T00:00:00+00:00', -62_135_596_800],
    ['9999-12-31T23:59:59+00:00', 253_402_300_799],
    ['2024-02-29T00:00:00Z', 1_709_164_800],
    [null, undefined],
    ['', undefined],
    [[], undefined],
  ])('reads the time %j', (input, draft) => gives(timestamp('T'), input, draft))

  test.each([
    ['2024-06-10T05:30:00.5Z', 'must be a time in whole seconds such as "2024-06-10T05:30:00+00:00", or Unix seconds'],
    [half + 0.5, 'must be a time'],
    ['2024-06-10', 'must be a time'],
    ['2024-06-10T05:30:00', 'must be a time'],
    ['2023-02-29T00:00:00Z', 'must be a time'],
    ['2024-13-01T00:00:00Z', 'must be a time'],
    ['2024-06-10T24:00:00Z', 'must be a time'],
    ['2024-06-10T05:30:60Z', 'must be a time'],
    ['2024-06-10T05:30:00+24:00', 'must be a time'],
    ['0000-12-31T00:00:00Z', 'lies outside the years 1 to 9999'],
    ['9999-12-31T23:59:59-00:01', 'lies outside the years 1 to 9999'],
    [1_717_997_400_000, 'looks like milliseconds'],
    ['yesterday', 'must be a time'],
    [true, 'must be a time'],
    [{ value: 0 }, 'must be a time'],
  ])('%j is refused', (input, fault) => refuses(timestamp('T'), input, `it: ${fault}`))
})

describe('rich text is read', () => {
  const kept = (value: string, format = 'farm_format') => ({ value, format })
  test.each([
    ['two crates', kept('two crates')],
    [{ value: 'two crates' }, kept('two crates')],
    [{ value: 'x', format: 'default' }, kept('x')],
    [{ value: 'x', format: '' }, kept('x')],
    [{ value: 'x', format: 'plain_text' }, kept('x', 'plain_text')],
    [{ value: 'x', format: null }, kept('x', '')],
    [{ value: 'x', format: 'default', processed: '<p>other</p>' }, kept('x')],
    [{ value: '', format: 'default' }, kept('')],
    [{ value: null, format: 'default' }, undefined],
    [{ format: 'default' }, undefined],
    [null, undefined],
    ['', undefined],
    [{}, undefined],
  ])('reads the rich text %j', (input, draft) => gives(richText('R'), input, draft))

  test.each([
    [{ value: 'x', format: 'full_html' }, ['it.format: unknown text format "full_html" [default plain_text]']],
    [{ value: 'x', format: 7 }, ['it.format: unknown text format 7']],
    [{ value: 'x', sumary: 'y' }, ['it.sumary: there is no such property here [value format processed]']],
    [{ value: 7 }, ['it.value: must be text, not 7']],
    [7, ['it.value: must be text, not 7']],
    [{ value: 'x'.repeat(65_537) }, ['it.value: is longer than 65536 characters']],
  ])('%j is refused', (input, faults) => refuses(richText('R'), input, ...faults))
})

describe('a geometry is read', () => {
  const all = { geo_type: 'x', lat: 1, lon: 1, left: 1, top: 1, right: 1, bottom: 1, geohash: 's', latlon: '1,1' }
  test.each([
    ['POINT (7.1 50.2)', 'POINT (7.1 50.2)'],
    [{ value: 'POINT(7.1 50.2)' }, 'POINT(7.1 50.2)'],
    [{ value: 'POINT EMPTY', ...all }, 'POINT EMPTY'],
    [{ value: null }, undefined],
    [{ value: '' }, undefined],
    [null, undefined],
    ['', undefined],
  ])('reads the geometry %j', (input, draft) => gives(geometry('G'), input, draft))

  test('of several, one stands for all', () => gives(geometry('G', { many: true }), 'POINT (1 2)', ['POINT (1 2)']))

  test.each([
    ['POINT (7.1)', 'it: '],
    [{ value: 'POINT (7.1 91)' }, 'it: latitude "91" is beyond ±90'],
    [{ value: 'POINT (1 2)', geom: 'x' }, 'it.geom: there is no such property here'],
    [{ value: 7 }, 'it.value: must be Well-Known Text'],
    [7, 'it: must be Well-Known Text such as "POINT (7.1 50.2)", not 7'],
  ])('%j is refused', (input, fault) => refuses(geometry('G'), input, fault))
})

describe('a yes or no is read', () => {
  test.each([
    ...[true, 1, '1', 'true'].map((input) => [input, true] as const),
    ...[false, 0, '0', 'false'].map((input) => [input, false] as const),
    ...[null, ''].map((input) => [input, undefined] as const),
  ])('reads %j as yes, as no or as empty', (input, draft) => gives(yesNo('Y'), input, draft))

  test.each(['yes', 2, [true]])('%j is refused', (input) => refuses(yesNo('Y'), input, 'it: must be true or false'))
})

describe('a word is read', () => {
  const tag = choice('C', 'tag_types')
  const flags = choice('C', 'flags', { many: true, open: true })
  test.each([
    ['measure', choice('C', 'measures'), 'speed', 'speed'],
    ['a word of the newer generation', tag, 'ear_tag', 'Ear tag'],
    ['another one', tag, 'eid', 'Chip'],
    ['none', tag, '', undefined],
    ['null', tag, null, undefined],
    ['words', flags, ['monitor', 'mine'], ['monitor', 'mine']],
    ['one word where there may be several', flags, 'monitor', ['monitor']],
    ['an empty list', flags, [], undefined],
    ['empty words in a list', flags, ['', 'monitor', null], ['monitor']],
  ])('reads a choice: %s', (_, field, input, draft) => gives(field, input, draft))

  test('what is allowed is told in words of the newer generation', () => {
    const allowed = '[brand ear_tag tattoo leg_band eid other]'
    refuses(tag, 'Ear tag', `it: "Ear tag" is not one of the allowed values ${allowed}`)
    refuses(tag, 7, `it: must be a word, not 7 ${allowed}`)
  })

  test('each word of a list is judged', () =>
    refuses(flags, ['monitor', 'x'.repeat(65)], 'it[1]: must be a short word'))
  test('a list may be only so long', () => refuses(flags, Array(1001).fill('x'), 'it: has 1001 items; at most 1000'))
})

describe('text and numbers are read', () => {
  test.each([
    ['text', text('T'), 'B-7', 'B-7'],
    ['a number as text', text('T'), 7, '7'],
    ['empty text', text('T'), '', undefined],
    ['texts', text('T', { many: true }), ['a', '', 'b'], ['a', 'b']],
    ['long text', longText('T'), ' {"a": 1}\n', ' {"a": 1}\n'],
    ['an empty long text', longText('T'), '', ''],
    ['no long text', longText('T'), null, undefined],
    ['a whole number', whole('W'), 12, 12],
    ['its digits', whole('W'), '12', 12],
    ['zero', whole('W'), 0, 0],
    ['no whole number', whole('W'), null, undefined],
    ['a decimal', decimal('D'), '2.50', '2.50'],
    ['a number as a decimal', decimal('D'), 2.5, '2.5'],
    ['no decimal', decimal('D'), '', undefined],
  ])('reads a value of its kind: %s', (_, field, input, draft) => gives(field, input, draft))

  test.each([
    ['a list as text', text('T'), ['a'], 'it: must be text'],
    ['a long text that is none', longText('T'), { a: 1 }, 'it: must be text'],
    ['text that is too long', text('T', { maxLength: 3 }), 'four', 'it: is longer than 3 characters'],
    ['a broken number', whole('W'), 1.5, 'it: must be a whole number, not 1.5'],
    ['a number that is too large', whole('W', { max: 9 }), 10, 'it: must lie between'],
    ['what is no decimal', decimal('D'), '1e5', 'it: must be a decimal number of up to 30 digits'],
  ])('%s is refused', (_, field, input, fault) => refuses(field, input, fault))
})

describe('a period is read', () => {
  test.each([
    [
      { value: 0, end_value: '1970-01-02T00:00:00Z' },
      { value: 0, value2: 86_400 },
    ],
    [{ value: 5 }, { value: 5, value2: 5 }],
    [{ value: null, end_value: null }, undefined],
    [null, undefined],
  ])('reads the period %j', (input, draft) => gives(period('P'), input, draft))

  test.each([
    [{ value: 5, end_value: 4 }, 'it.end_value: ends before it starts'],
    [{ end_value: 4 }, 'it.value: must be a time'],
    [{ value: 5, value2: 6 }, 'it.value2: there is no such property here [value end_value]'],
    [5, 'it: must be {"value": start, "end_value": end}'],
  ])('%j is refused', (input, fault) => refuses(period('P'), input, fault))
})

describe('a part is read', () => {
  const tag = { id: text('ID'), location: text('Location'), type: choice('Type', 'tag_types') }
  const tags = part('Tags', tag, { many: true })
  const box = part('Box', {
    width: decimal('Width', { required: true, newer: { name: 'breadth' } }),
    inside: text('Inside', { newer: { joined: true } }),
  })
  test.each([
    ['tags', tags, [{ id: '7', type: 'eid', location: null }], [{ part: { id: '7', type: 'Chip' } }]],
    ['a tag with one member', tags, [{ location: 'left' }], [{ part: { location: 'left' } }]],
    ['tags that say nothing', tags, [{ id: null, type: '', location: null }, {}], undefined],
    ['no tags', tags, [], undefined],
    ['one part, by the names of the newer generation', box, { breadth: '2' }, { part: { width: '2' } }],
    ['no part', box, null, undefined],
  ])('reads parts: %s', (_, field, input, draft) => gives(field, input, draft))

  test.each([
    [
      'an unknown property',
      tags,
      [{ id: '7' }, { no: 'x' }],
      'it[1].no: there is no such property here [id location type]',
    ],
    ['a wrong word', tags, [{ type: 'Chip' }], 'it[0].type: "Chip" is not one of the allowed values [brand'],
    ['text', tags, ['x'], 'it[0]: must be an object, not "x" [id location type]'],
    ['what others show', box, { breadth: '2', inside: 'x' }, 'it.inside: there is no such property here [breadth]'],
    ['another name of it', box, { width: '2' }, 'it.width: there is no such property here [breadth]'],
  ])('%s is refused', (_, field, input, fault) => refuses(field, input, fault))

  test('what is required is asked for by its name here', () => {
    const both = part('Box', {
      width: decimal('Width', { required: true, newer: { name: 'breadth' } }),
      id: text('ID'),
    })
    refuses(both, { id: 'x' }, 'it.breadth: is required')
  })
})

describe('a fraction is read', () => {
  const read = (input: unknown) => readAt((place) => readFraction(input, place))
  const third = '0.33333333333333333333'
  test.each([
    [{ decimal: '2.50' }, { value: '2.50' }],
    [{ decimal: 2.5 }, { value: '2.5' }],
    [{ decimal: '12.0' }, { value: '12.0' }],
    [{ numerator: 25, denominator: 10 }, { value: '2.5' }],
    [{ numerator: '250', denominator: '100' }, { value: '2.50' }],
    [
      { numerator: 5, denominator: 2 },
      { value: '2.5', fraction: '5/2' },
    ],
    [
      { numerator: -5, denominator: -2 },
      { value: '2.5', fraction: '5/2' },
    ],
    [{ numerator: 12, denominator: 1 }, { value: '12' }],
    [
      { numerator: 0, denominator: 3 },
      { value: '0', fraction: '0/3' },
    ],
    [
      { numerator: 6, denominator: 3 },
      { value: '2', fraction: '6/3' },
    ],
    [{ numerator: 250, denominator: 100, decimal: '2.5' }, { value: '2.5' }],
    [
      { numerator: 1, denominator: 3 },
      { value: third, fraction: '1/3' },
    ],
    [
      { numerator: 2, denominator: -6 },
      { value: `-${third}`, fraction: '-2/6' },
    ],
    [
      { numerator: 2, denominator: 3 },
      { value: '0.66666666666666666667', fraction: '2/3' },
    ],
    [{ numerator: 1, denominator: 3, decimal: '0.5' }, { value: '0.5' }],
    [
      { numerator: 1, denominator: 3, decimal: third },
      { value: third, fraction: '1/3' },
    ],
    [{ numerator: null, denominator: '', decimal: '1' }, { value: '1' }],
    [
      { numerator: 1, denominator: 2, decimal: '' },
      { value: '0.5', fraction: '1/2' },
    ],
    [
      { numerator: 1, denominator: 2, decimal: '0.5' },
      { value: '0.5', fraction: '1/2' },
    ],
    [{ numerator: '123456789012345678901234567890', denominator: 1 }, { value: '123456789012345678901234567890' }],
  ])('reads the fraction %j', (input, part) => expect(read(input)).toStrictEqual({ draft: { part }, faults: [] }))

  test.each([[null], [''], [{}], [{ numerator: null, denominator: null, decimal: null }]])('%j is none', (input) =>
    expect(read(input)).toStrictEqual({ draft: undefined, faults: [] }),
  )

  test.each([
    [{ numerator: 1, denominator: 0 }, 'it.denominator: must not be 0'],
    [{ numerator: 1 }, 'it.denominator: is required'],
    [{ denominator: 2 }, 'it.numerator: is required'],
    [{ numerator: 1.5, denominator: 2 }, 'it.numerator: must be a whole number, not 1.5'],
    [{ decimal: 'two' }, 'it.decimal: must be a decimal number of up to 30 digits, not "two"'],
    [{ decimal: '2', numerator: 'two' }, 'it.numerator: must be a whole number, not "two"'],
    [{ decimal: '2', unit: 'kg' }, 'it.unit: there is no such property here [numerator denominator decimal]'],
    [{ numerator: '9999999999999999999999', denominator: 7 }, 'it: is no decimal number of up to 30 digits'],
    [2.5, 'it: must be {"decimal": "2.5"}, not 2.5'],
  ])('%j is refused', (input, fault) => expect(faultsOf(read(input))).toEqual([expect.stringContaining(fault)]))
})
