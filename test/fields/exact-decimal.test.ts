import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalOfNumber, readDecimal, sumDecimals } from '../../src/fields/exact-decimal.ts'

const thirtyDigits = '123456789012345678901234567890'

const writtenDecimal = fc
  .tuple(
    fc.constantFrom('', '+', '-'),
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 18 }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 12 }),
  )
  .map(([sign, whole, fraction]) => sign + whole + (fraction && `.${fraction}`))

/** The number in units of 10^-12, read without the code under test. */
function inTrillionths(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const units = BigInt(whole + fraction.padEnd(12, '0'))
  return text.startsWith('-') ? -units : units
}

describe('a decimal is kept as it was written', () => {
  test.each([
    '0',
    '-0',
    '+1',
    '1.10',
    '.5',
    '-.5',
    '007',
    '012',
    '12.5',
    thirtyDigits,
    `-${thirtyDigits}`,
    `.${thirtyDigits}`,
  ])('%s is a decimal', (text) => expect(readDecimal(text)).toBe(text))

  test.each([
    '',
    '.',
    '-',
    '+',
    '5.',
    '--1',
    '1e9',
    '1E9',
    '1e309',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1.2.3',
    '1_000',
    '−1',
    '١',
    `${thirtyDigits}1`,
    `0.${thirtyDigits}`,
    '9'.repeat(1_000_000),
  ])('%j is not', (text) => expect(readDecimal(text)).toBeUndefined())
})

describe('a number becomes plain notation', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [-12.345, '-12.345'],
    [1e-7, '0.0000001'],
    [-1.5e-7, '-0.00000015'],
    [1e9, '1000000000'],
    [2147483648, '2147483648'],
    [2 ** 53 - 1, '9007199254740991'],
    [1e-29, `0.${'0'.repeat(28)}1`],
  ])('writes %d without an exponent', (value, text) => expect(decimalOfNumber(value)).toBe(text))

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53), 1e21, 1e-30, 5e-324])(
    '%d is refused: its written digits are lost or too many',
    (value) => expect(decimalOfNumber(value)).toBeUndefined(),
  )

  test('a plain number is read back without loss', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        const text = decimalOfNumber(value)
        if (text !== undefined) expect(Number(text)).toBe(value === 0 ? 0 : value)
      }),
    )
  })
})

describe('decimals add exactly', () => {
  test.each([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['1.10', '0.9'], '2.00'],
    [['.5', '-.5'], '0.0'],
    [['-0'], '0'],
    [['1', '-1.005'], '-0.005'],
    [['9'.repeat(30), '1'], `1${'0'.repeat(30)}`],
    [[`.${'9'.repeat(30)}`, '9'.repeat(30)], `${'9'.repeat(30)}.${'9'.repeat(30)}`],
  ])('the sum of %j', (values, sum) => expect(sumDecimals(values)).toBe(sum))

  test('the sum agrees with whole units, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(writtenDecimal), (values) => {
        const sum = sumDecimals(values)
        expect(inTrillionths(sum)).toBe(values.reduce((total, value) => total + inTrillionths(value), 0n))
        expect(sumDecimals(values.toReversed())).toBe(sum)
      }),
    )
  })
})
