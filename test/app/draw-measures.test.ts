import './english-words.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { lengthText, metresTyped, typedMetres, withUnit } from '../../web/map/draw/lengths.tsx'
import { memory } from '../../web/store/memory.ts'
import type { Me } from '../../web/store/record.ts'

const measureIn = (system: 'metric' | 'us') => {
  memory.me.value = { farm: { system_of_measurement: system } } as unknown as Me
}

afterEach(() => {
  memory.me.value = null
})

describe('lengths are those of the farm', () => {
  test('are in metres on a metric farm', () => {
    measureIn('metric')
    expect(lengthText(158.4)).toBe('158 m')
    expect(lengthText(7.46)).toBe('7.5 m')
    expect(withUnit('Length')).toBe('Length, m')
    expect(metresTyped('12,5')).toBe(12.5)
    expect(typedMetres(12.59)).toBe('12.5')
  })
  test('are in feet on a farm with US units', () => {
    measureIn('us')
    expect(lengthText(30.48)).toBe('100 ft')
    expect(withUnit('Length')).toBe('Length, ft')
    expect(metresTyped('100')).toBeCloseTo(30.48, 6)
    expect(typedMetres(30.48)).toBe('100')
  })
  test('are not read from text that is no number above 0', () => {
    measureIn('metric')
    for (const typed of ['', '0', '-3', 'wide', '100000000']) expect(metresTyped(typed)).toBeUndefined()
  })
})
