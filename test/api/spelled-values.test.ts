import { describe, expect, test } from 'vitest'
import { spellAttribute } from '../../src/doors/api/values/attributes.ts'
import { spellFraction } from '../../src/doors/api/values/fraction.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { choice } from '../../src/fields/choice.ts'
import type { Field } from '../../src/fields/field.ts'
import { geometry } from '../../src/fields/geometry.ts'
import { decimal, whole, yesNo } from '../../src/fields/number.ts'
import { part } from '../../src/fields/part.ts'
import { longText, richText, text } from '../../src/fields/text.ts'
import { period, timestamp } from '../../src/fields/time.ts'
import type { Value } from '../../src/fields/value.ts'

const tags = part(
  'Tags',
  { id: text('ID'), location: text('Location'), type: choice('Type', 'tag_types') },
  { many: true },
)
const box = part('Box', { width: decimal('Width', { newer: { name: 'breadth' } }), is_open: yesNo('Open') })
const uuid = '0192f0c4-6a3e-7d21-9b1f-5a2c3d4e5f60'

const spelled: readonly (readonly [string, Field, Value | undefined, unknown])[] = [
  ['text', text('T'), 'B-7', 'B-7'],
  ['no text', text('T'), undefined, null],
  ['texts', text('T', { many: true }), ['Bella', 'Bel'], ['Bella', 'Bel']],
  ['no texts', text('T', { many: true }), undefined, []],
  ['long text', longText('T'), ' {"a": 1}\n', ' {"a": 1}\n'],
  ['an empty long text', longText('T'), '', ''],
  ['a time', timestamp('T'), 1_717_997_400, '2024-06-10T05:30:00+00:00'],
  ['the first second of 1970', timestamp('T'), 0, '1970-01-01T00:00:00+00:00'],
  ['a time before 1970', timestamp('T'), -1, '1969-12-31T23:59:59+00:00'],
  ['the first second of all', timestamp('T'), -62_135_596_800, '0001-01-01T00:00:00+00:00'],
  ['the last second of all', timestamp('T'), 253_402_300_799, '9999-12-31T23:59:59+00:00'],
  ['the number of an unset time', timestamp('T', { unset: 0 }), 0, null],
  ['no time', timestamp('T'), undefined, null],
  [
    'a period',
    period('P'),
    { value: 0, value2: 86_400 },
    { value: '1970-01-01T00:00:00+00:00', end_value: '1970-01-02T00:00:00+00:00' },
  ],
  ['no period', period('P'), undefined, null],
  ['yes', yesNo('Y'), true, true],
  ['no', yesNo('Y'), false, false],
  ['neither yes nor no', yesNo('Y'), undefined, false],
  ['yes, of which the other interface has digits', yesNo('Y', { asDigit: true }), true, true],
  ['a whole number', whole('W'), -3, -3],
  ['zero', whole('W'), 0, 0],
  ['no number', whole('W'), undefined, null],
  ['a decimal', decimal('D'), '2.50', '2.50'],
  ['no decimal', decimal('D'), undefined, null],
  ['a word', choice('C', 'measures'), 'weight', 'weight'],
  ['a word that has another in the newer generation', choice('C', 'tag_types'), 'Ear tag', 'ear_tag'],
  ['a word that nobody knows', choice('C', 'tag_types'), 'Microdot', 'Microdot'],
  ['a word of a list that is gone', choice('C', 'tunes'), 'waltz', 'waltz'],
  ['words', choice('C', 'tag_types', { many: true }), ['Chip', 'Other', 'mine'], ['eid', 'other', 'mine']],
  ['no words', choice('C', 'flags', { many: true }), undefined, []],
  [
    'tags',
    tags,
    [
      { uuid, id: '7', type: 'Leg band', location: 'left' },
      { uuid, location: 'right' },
    ],
    [
      { id: '7', type: 'leg_band', location: 'left' },
      { id: null, type: null, location: 'right' },
    ],
  ],
  ['no tags', tags, undefined, []],
  ['one part', box, { uuid, width: '1.0' }, { breadth: '1.0', is_open: false }],
  ['no part', box, undefined, null],
]

describe('an attribute is spelled by its kind', () => {
  test.each(spelled)('spells an attribute: %s', (_, field, value, expected) =>
    expect(spellAttribute(field, value, stockFarm)).toStrictEqual(expected),
  )
})

const rich = (value: string, format = 'farm_format') => spellAttribute(richText('R'), { value, format }, stockFarm)

describe('rich text is shown with its format, and processed as harmless HTML', () => {
  test.each([
    ['two crates', '<p>two crates</p>\n'],
    ['', ''],
    [' \n\n ', ''],
    ['one\ntwo', '<p>one<br />\ntwo</p>\n'],
    ['one\r\n\r\ntwo\r\rthree', '<p>one</p>\n<p>two</p>\n<p>three</p>\n'],
    ['\n\none\n \t \n\ntwo\n', '<p>one</p>\n<p>two</p>\n'],
    [`<b onclick="x">Tom & 'Jerry'</b>`, '<p>&lt;b onclick=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;</p>\n'],
    ['&lt;', '<p>&amp;lt;</p>\n'],
  ])('shows the text %j with its format, and processed as HTML', (value, processed) =>
    expect(rich(value)).toStrictEqual({ value, format: 'default', processed }),
  )

  test.each([
    ['farm_format', 'default'],
    ['plain_text', 'plain_text'],
    ['', null],
  ])('the format %j is %j', (kept, format) => expect(rich('x', kept)).toMatchObject({ format }))

  test('none is null', () => expect(spellAttribute(richText('R'), undefined, stockFarm)).toBeNull())
})

const shape = (...wkts: string[]) => spellAttribute(geometry('G', { many: true }), wkts, stockFarm)

describe('a geometry is shown with its middle, its bounds and its geohash', () => {
  test('a point', () =>
    expect(spellAttribute(geometry('G'), 'POINT (7.1 50.2)', stockFarm)).toStrictEqual({
      value: 'POINT (7.1 50.2)',
      geo_type: 'Point',
      lat: 50.2,
      lon: 7.1,
      left: 7.1,
      top: 50.2,
      right: 7.1,
      bottom: 50.2,
      geohash: 'u0vj9ddh1yr8',
      latlon: '50.2,7.1',
    }))

  test('an area, to the letter', () =>
    expect(shape('polygon((0 0,4 0,4 2,0 2,0 0))')).toStrictEqual({
      value: 'polygon((0 0,4 0,4 2,0 2,0 0))',
      geo_type: 'Polygon',
      lat: 1,
      lon: 2,
      left: 0,
      top: 2,
      right: 4,
      bottom: 0,
      geohash: 's0',
      latlon: '1,2',
    }))

  test('several are shown as one', () =>
    expect(shape('POINT (0 0)', 'POINT (2 4)')).toMatchObject({
      value: 'MULTIPOINT ((0 0), (2 4))',
      geo_type: 'MultiPoint',
      latlon: '2,1',
    }))

  test('an EMPTY one has neither', () =>
    expect(shape('POLYGON EMPTY')).toStrictEqual({
      value: 'POLYGON EMPTY',
      geo_type: 'Polygon',
      lat: null,
      lon: null,
      left: null,
      top: null,
      right: null,
      bottom: null,
      geohash: null,
      latlon: null,
    }))

  test('none is null', () => {
    expect(spellAttribute(geometry('G'), undefined, stockFarm)).toBeNull()
    expect(shape()).toBeNull()
  })
})

describe('a decimal is shown as a fraction over a power of ten', () => {
  test.each([
    ['2.5', 25, 10],
    ['2.50', 250, 100],
    ['12', 12, 1],
    ['-0.05', -5, 100],
    ['-0', 0, 1],
    ['.5', 5, 10],
    ['+1', 1, 1],
    ['007', 7, 1],
    ['123456789012345678901234567890', 123456789012345680000000000000, 1],
  ])('shows %s with a numerator and a denominator', (value, numerator, denominator) =>
    expect(spellFraction(value)).toStrictEqual({ numerator, denominator, decimal: value }),
  )

  test('none is null', () => expect(spellFraction(undefined)).toBeNull())

  test('a fraction that no decimal is, is shown as it was sent', () =>
    expect(spellFraction('0.33333333333333333333', '1/3')).toStrictEqual({
      numerator: 1,
      denominator: 3,
      decimal: '0.33333333333333333333',
    }))

  test.each(['0.5', '0.3333', '-0.33333333333333333333'])('until the decimal beside it is another: %s', (value) =>
    expect(spellFraction(value, '1/3')).toStrictEqual(spellFraction(value)),
  )

  test.each(['1/0', '1', 'x/y', ''])('and %j is none', (fraction) =>
    expect(spellFraction('1.5', fraction)).toStrictEqual(spellFraction('1.5')),
  )
})
