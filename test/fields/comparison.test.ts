import { expect, it } from 'vitest'
import { choice } from '../../src/fields/choice.ts'
import { isComparable, keysOf } from '../../src/fields/kinds.ts'
import { decimal, yesNo } from '../../src/fields/number.ts'
import { reference } from '../../src/fields/reference.ts'
import { longText, richText, text } from '../../src/fields/text.ts'
import { period, timestamp } from '../../src/fields/time.ts'

it('text compares whatever its case, and an empty one not at all', () => {
  expect(keysOf(text(''), 'Kale')).toEqual(keysOf(text(''), 'KALE'))
  expect(keysOf(text('', { many: true }), ['a', 'b'])).toHaveLength(2)
  expect(keysOf(longText(''), '')).toEqual([])
  expect(keysOf(richText(''), { value: '', format: 'farm_format' })).toEqual([])
  expect(keysOf(richText(''), { value: 'x', format: 'farm_format' })).toEqual(keysOf(text(''), 'X'))
})

it('numbers compare as numbers', () => {
  expect(keysOf(decimal(''), '1.50')).toEqual(keysOf(decimal(''), '01.5'))
  expect(keysOf(timestamp(''), 0)).toHaveLength(1)
  const [early = '', late = ''] = [-5, 100].map((second) => keysOf(timestamp(''), second)[0])
  expect(early < late).toBe(true)
  expect(keysOf(period(''), { value: 7, value2: 9 })).toEqual(keysOf(timestamp(''), 7))
})

it('no is the absence of yes', () => {
  expect(keysOf(yesNo(''), true)).toEqual(['1'])
  expect(keysOf(yesNo(''), false)).toEqual([])
  expect(keysOf(yesNo(''), undefined)).toEqual([])
})

it('references have no order of their own', () => {
  expect(isComparable(choice('', 'flags'))).toBe(true)
  expect(isComparable(reference('', 'user'))).toBe(false)
  expect(keysOf(reference('', 'user', { many: true }), [1, 2])).toEqual([])
})
