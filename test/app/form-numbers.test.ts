import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDecimal, sumDecimals } from '../../src/fields/exact-decimal.ts'
import { afterKey, decimalIn, type PadKey, stepped, wholeIn } from '../../web/forms/typed-number.ts'

const decimal = fc.stringMatching(/^-?\d{1,12}(\.\d{1,8})?$/)

describe('a number that was typed', () => {
  test.each([
    ['18,5', '18.5'],
    ['18.50', '18.50'],
    [' 7 ', '7'],
    ['5.', '5'],
    ['5,', '5'],
    ['.5', '.5'],
    ['−3', '-3'],
    ['007', '007'],
    ['+5', '5'],
    ['+-5', null],
    ['1,234.5', null],
    ['1e9', null],
    ['', null],
    ['-', null],
    ['twelve', null],
    ['1'.repeat(31), null],
  ])('%s is %s: comma or point, and every digit is kept', (typed, sent) => {
    expect(decimalIn(typed)).toBe(sent)
  })

  test('is accepted exactly if the farm accepts it; only a plus sign is dropped', () => {
    fc.assert(
      fc.property(fc.oneof(decimal, fc.stringMatching(/^[-+.,0-9e ]{0,34}$/)), (typed) => {
        const sent = decimalIn(typed)
        if (sent !== null) expect(readDecimal(sent)).toBe(sent)
        if (readDecimal(typed) !== undefined) expect(sent).toBe(typed.replace('+', ''))
      }),
    )
  })

  test('is whole only without decimals', () => {
    expect([wholeIn('12'), wholeIn('1,2'), wholeIn('3.0')]).toEqual(['12', null, null])
  })
})

describe('one more and one less', () => {
  test('are exact beyond the precision of a float', () => {
    expect(stepped('0.1', 1)).toBe('1.1')
    expect(stepped('12345678901234567890.123', 1)).toBe('12345678901234567891.123')
    expect(stepped('', -1)).toBe('-1')
    expect(stepped('0,5', -1)).toBe('-0.5')
    fc.assert(fc.property(decimal, (text) => void expect(stepped(text, 1)).toBe(sumDecimals([text, '1']))))
  })
})

test('the keys of the pad type their labels', () => {
  const typed = (...keys: readonly PadKey[]) => keys.reduce(afterKey, '')
  expect(typed('1', '8', '.', '5')).toBe('18.5')
  expect(typed('.', '5')).toBe('0.5')
  expect(typed('0', '7')).toBe('7')
  expect(typed('1', '.', '.', '2', 'back')).toBe('1.')
  expect(typed('back')).toBe('')
})
