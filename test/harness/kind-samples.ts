import fc from 'fast-check'
import { type FieldOf, isMany } from '../../src/fields/field.ts'
import type { PlainKind } from '../../src/fields/kind.ts'
import { valueLimits } from '../../src/fields/limits.ts'
import { uncarriable, unprintable } from '../../src/fields/text.ts'
import type { Value } from '../../src/fields/value.ts'

/** What is sent for a field, and what must be read of it then. */
export interface SampleValue {
  readonly sent: unknown
  readonly read: unknown
}

/** What the tests need of each plain kind. */
interface KindSamples<K extends PlainKind> {
  /** Any value that may be kept. */
  readonly kept: (field: FieldOf<K>) => fc.Arbitrary<Value>
  /** Whatever a client may send, in any of the spellings that are taken. */
  readonly sent: (field: FieldOf<K>) => fc.Arbitrary<unknown>
  /** The same with texts that XML finds hard to carry. */
  readonly inXml: (field: FieldOf<K>) => fc.Arbitrary<unknown>
  readonly filled: (field: FieldOf<K>, nth: number) => SampleValue
  /** What a field holds that the record interface does not show. */
  readonly hidden: (field: FieldOf<K>) => Value | undefined
  /** What no field of the kind takes, in words that both formats can say. */
  readonly wrong: readonly unknown[]
  /** How docs/types.md describes a field. */
  readonly page: (field: FieldOf<K>) => string
}

const same = (value: unknown): SampleValue => ({ sent: value, read: value })
const lastSecond = 253_402_300_799
const anySecond = fc.integer({ min: -62_135_596_800, max: lastSecond })
const asNumberOrDigits = (number: fc.Arbitrary<number>) =>
  number.chain((value) => fc.constantFrom<unknown>(value, String(value)))
const anyYesOrNo = fc.constantFrom<unknown>(true, false, 1, 0, '1', '0', 'true', 'false')

const keptText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !uncarriable.test(text))
const sentText = (most: number) =>
  fc.string({ unit: 'grapheme', maxLength: most }).map((text) => text.replace(new RegExp(uncarriable, 'gu'), '·'))

const odd = fc.string({ unit: fc.constantFrom(...'aZ<>&"\'\r\n\t ]%\u00e4\u0085\u2028\ud7ff🌾') })
export const anyText = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), odd)
  .filter((text) => !uncarriable.test(text))
export const anyLine = anyText.filter((text) => !unprintable.test(text))

const someShapes = ['POINT (1 2)', 'point(-7.50 3e1)', 'POLYGON((0 0,0 1,1 1,0 0))', 'POINT EMPTY', 'POINT Z (1 2 3)']
const moreShapes = fc.constantFrom(
  'POINT (7.1 50.2)',
  'POINT(1 2)',
  'POINT EMPTY',
  'LINESTRING (0 0, 1 1, 2 5)',
  'POLYGON ((30 10, 40 40, 20 40, 10 20, 30 10))',
  'MULTIPOINT ((10 40), (40 30))',
  'GEOMETRYCOLLECTION (POINT (40 10), LINESTRING (10 10, 20 20))',
)

const samples: { readonly [K in PlainKind]: KindSamples<K> } = {
  text: {
    kept: () => keptText,
    sent: ({ maxLength }) => (maxLength === 255 ? sentText(40).map((text) => `n${text}`) : sentText(30)),
    inXml: () => fc.oneof(anyLine, asNumberOrDigits(fc.nat())),
    filled: (_field, nth) => same(`Müller & <Söhne> "${nth}" 🌾`),
    hidden: () => 'hidden',
    wrong: [{ a: 'b' }],
    page: ({ many, maxLength }) =>
      `${many ? 'texts' : 'text'}${maxLength < valueLimits.textLength ? ` of up to ${maxLength} characters` : ''}`,
  },
  'long-text': {
    kept: () => fc.oneof(keptText, fc.constant('')),
    sent: () => sentText(50),
    inXml: ({ takesRich }) =>
      takesRich ? fc.oneof(anyText, fc.record({ value: anyText, format: fc.constant('farm_format') })) : anyText,
    filled: () => same('{"rows": [1, 2],\n "note": "<b>as it is</b>"}'),
    hidden: () => 'hidden',
    wrong: [['x', 'y']],
    page: () => 'long text',
  },
  'rich-text': {
    kept: () =>
      fc
        .tuple(fc.oneof(keptText, fc.constant('')), fc.constantFrom('farm_format', 'plain_text', ''))
        .map(([value, format]) => ({ value, format })),
    sent: () =>
      fc.oneof(
        sentText(50),
        sentText(50).map((value) => ({ value, format: 'farm_format' })),
      ),
    inXml: () =>
      fc.oneof(
        anyText,
        fc.record({ value: anyText }),
        fc.record({ value: anyText, format: fc.constantFrom('farm_format', '') }),
      ),
    filled: () => same({ value: 'One <b>line</b> & another\n\n\thttps://farm.example', format: 'farm_format' }),
    hidden: () => ({ value: 'hidden', format: 'plain_text' }),
    wrong: [{ value: 'x', format: 'full_html' }, { value: { a: 'b' } }, ['x', 'y']],
    page: () => 'long text',
  },
  timestamp: {
    kept: () => anySecond,
    sent: () => asNumberOrDigits(anySecond),
    inXml: () => asNumberOrDigits(anySecond),
    filled: () => same('1580000000'),
    hidden: () => 1_500_000_000,
    wrong: ['yesterday', '1600000000000', '1.5', '2020-01-01', '253402300800', { a: 'b' }],
    page: () => 'time, in Unix seconds',
  },
  period: {
    kept: () => fc.tuple(anySecond, anySecond).map(([a, b]) => ({ value: Math.min(a, b), value2: Math.max(a, b) })),
    sent: () =>
      fc.tuple(anySecond, fc.nat(100_000)).map(([start, length]) => ({
        value: String(Math.min(start, 253_402_000_000)),
        value2: Math.min(start, 253_402_000_000) + length,
      })),
    inXml: () =>
      fc
        .tuple(anySecond, fc.nat())
        .map(([start, length]) => ({ value: String(start), value2: String(Math.min(start + length, lastSecond)) })),
    filled: () => ({
      sent: { value: '1577836800', value2: '1609459199' },
      read: { value: '1577836800', value2: '1609459199', duration: 31622399 },
    }),
    hidden: () => ({ value: 1, value2: 2 }),
    wrong: ['2020', { value: '10', value2: '9' }, { value: 'x' }],
    page: () => 'from a time to a time',
  },
  'yes-no': {
    kept: () => fc.constant(true),
    sent: () => anyYesOrNo,
    inXml: () => anyYesOrNo,
    filled: ({ asDigit }) => same(asDigit ? '1' : true),
    hidden: ({ alone }) => (alone ? undefined : true),
    wrong: ['maybe', 'TRUE', { a: 'b' }],
    page: () => 'yes or no',
  },
  whole: {
    kept: ({ min, max }) => fc.integer({ min, max }),
    sent: ({ min, max }) => asNumberOrDigits(fc.integer({ min: Math.max(min, -1000), max: Math.min(max, 100_000) })),
    inXml: ({ min, max }) => asNumberOrDigits(fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) })),
    filled: () => same('7'),
    hidden: () => 7,
    wrong: ['1.5', '012', 'many', '99999999999', { a: 'b' }],
    page: () => 'whole number',
  },
  decimal: {
    kept: () => fc.stringMatching(/^[+-]?\d{0,12}\.?\d{1,12}$/),
    sent: () => fc.stringMatching(/^-?\d{1,12}(\.\d{1,8})?$/),
    inXml: () =>
      fc.oneof(
        fc.integer(),
        fc.integer({ min: -10_000, max: 10_000 }).map((value) => value / 8),
        fc.stringMatching(/^[+-]?[0-9]{1,14}(\.[0-9]{1,14})?$/),
        fc.stringMatching(/^-?\.[0-9]{1,14}$/),
      ),
    filled: () => same('-12.50'),
    hidden: () => '7',
    wrong: ['1e9', '5.', 'ten', '0x10', '1'.repeat(31), { a: 'b' }],
    page: () => 'number, exact to the last digit',
  },
  geometry: {
    kept: () => fc.constantFrom(...someShapes),
    sent: () => fc.constantFrom(...someShapes),
    inXml: () => fc.oneof(moreShapes, fc.record({ geom: moreShapes })),
    filled: (field, nth) => same(isMany(field) ? { geom: `POINT (7.10 ${nth})` } : `POINT(7.10   ${nth})`),
    hidden: () => 'POINT (7 7)',
    wrong: ['POINT(', 'POINT (1)', 'here', { geom: 'nowhere' }, { a: 'b' }],
    page: ({ many }) => (many ? 'shapes, as Well-Known Text' : 'shape, as Well-Known Text'),
  },
}

/** What every plain kind has for one purpose; a test adds the kinds that are links into the farm. */
export function plainSamples<N extends keyof KindSamples<PlainKind>>(
  name: N,
): { readonly [K in PlainKind]: KindSamples<K>[N] } {
  const all = Object.entries(samples).map(([kind, one]) => [kind, one[name]] as const)
  // Entries lose which samples are of which kind.
  return Object.fromEntries(all) as { readonly [K in PlainKind]: KindSamples<K>[N] }
}
