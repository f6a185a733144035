import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalKey, textKey, trimmedTextKey, wholeKey } from '../../src/fields/key.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'

function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const digits = fc.string({ unit: fc.constantFrom(...'00123456789'), maxLength: 30 })

const writtenDecimal = fc
  .tuple(fc.constantFrom('', '+', '-'), digits, digits)
  .map(([sign, whole, fraction]) => sign + (whole || '0') + (fraction && `.${fraction}`))

describe('the key of a text', () => {
  test.each([
    ['Kale', 'kale'],
    ['kale', 'kale'],
    ['ÄPFEL', 'äpfel'],
    ['A\u0308pfel', 'äpfel'],
    ['Ру́сский', 'ру́сский'],
    ['\u212A', 'k'],
    ['\u212B', 'å'],
    ['\u0130', 'i\u0307'],
    ['I', 'i'],
    ['\u0131', '\u0131'],
    ['\u017F', '\u017F'],
    ['STRASSE', 'strasse'],
    ['Straße', 'straße'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['🌾', '🌾'],
    ['\u{10400}', '\u{10428}'],
    ['\u202Ekale', '\u202Ekale'],
    [' Kale ', ' kale '],
    ['', ''],
  ])('of %j is %j', (text, key) => expect(textKey(text)).toBe(key))

  test('does not change when taken again, nor with the form of normalisation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(textKey(textKey(text))).toBe(textKey(text))
        expect(textKey(text.normalize('NFD'))).toBe(textKey(text))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    [' Kale\t', 'kale'],
    ['\u00A0\u2003\u3000\u0085\uFEFFKale\u2028\r\n', 'kale'],
    ['red  kale', 'red  kale'],
    ['\u200BKale', '\u200Bkale'],
    [' \t ', ''],
  ])('without the white space around it, %j is %j', (text, key) => expect(trimmedTextKey(text)).toBe(key))

  test('does not change when taken again, however many marks are piled on a letter', () => {
    for (const count of [29, 30, 31, 32]) {
      const key = textKey(`\u0130${'\u0301\u0323'.repeat(count).slice(0, count)}`)
      expect(textKey(key)).toBe(key)
    }
  })

  test.each([
    ['spaces inside', `a${' '.repeat(1_000_000)}b`],
    ['combining marks in the wrong order', `a${'\u0301\u0323'.repeat(500_000)}`],
    ['combining marks just below the bound', `a${'\u0301\u0323'.repeat(15)}`.repeat(5_000)],
  ])('takes linear time for a megabyte of %s', async (_, text) => {
    expect(await leastProcessorTime(() => trimmedTextKey(text), { enough: 2000 })).toBeLessThan(2000)
  })
})

/** The number in units of 10^-30, read without the code under test. */
function inSmallestUnits(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const units = BigInt(whole + fraction.padEnd(30, '0'))
  return text.startsWith('-') ? -units : units
}

const signOf = (difference: bigint): number => (difference === 0n ? 0 : difference < 0n ? -1 : 1)

describe('the key of a decimal', () => {
  test.each([
    ['1.10', '1.1'],
    ['+1.1', '1.1'],
    ['01.1', '1.1'],
    ['-0', '0'],
    ['-0.00', '+000'],
    ['.5', '0.50'],
    ['-007', '-7.0'],
  ])('%s and %s have one key', (a, b) => expect(decimalKey(a)).toBe(decimalKey(b)))

  test('sorts as numbers do', () => {
    const ordered = [
      `-${'9'.repeat(30)}`,
      '-1000',
      '-10',
      '-9.5',
      '-9.45',
      '-9.4',
      '-9',
      '-1',
      '-0.5',
      '-0.05',
      `-0.${'0'.repeat(29)}1`,
      '0',
      `0.${'0'.repeat(29)}1`,
      '0.05',
      '0.5',
      '1',
      '9',
      '9.4',
      '9.45',
      '9.5',
      '10',
      '1000',
      '9'.repeat(30),
    ]
    expect(ordered.toSorted((a, b) => byteOrder(decimalKey(a), decimalKey(b)))).toEqual(ordered)
    expect(new Set(ordered.map(decimalKey)).size).toBe(ordered.length)
  })

  test.each([
    ['0.1', '0.10', 0],
    ['+1', '01', 0],
    ['9', '10', -1],
    ['-9', '-10', 1],
    ['.5', '0.49999999999999999999999999999', 1],
    ['123456789012345678901234567890', '123456789012345678901234567891', -1],
  ])('orders %s and %s by their value', (a, b, order) => expect(byteOrder(decimalKey(a), decimalKey(b))).toBe(order))

  test('orders any two decimals as their values, with thirty digits on either side', () => {
    fc.assert(
      fc.property(writtenDecimal, writtenDecimal, (a, b) => {
        expect(byteOrder(decimalKey(a), decimalKey(b))).toBe(signOf(inSmallestUnits(a) - inSmallestUnits(b)))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('the key of a whole number', () => {
  test('orders timestamps before and after 1970 and shares the keys of decimals', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        expect(byteOrder(wholeKey(a), wholeKey(b))).toBe(Math.sign(a - b))
        expect(wholeKey(a)).toBe(decimalKey(`${a}.0`))
      }),
    )
  })

  test('is not given to what is not whole', () => {
    expect(wholeKey(-0)).toBe(wholeKey(0))
    expect(() => wholeKey(1.5)).toThrow(RangeError)
    expect(() => wholeKey(Number.NaN)).toThrow(RangeError)
  })
})
