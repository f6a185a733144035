import { expect, test } from 'vitest'
import { type PastAmount, pastAmounts, unusualAmount, usualUnits } from '../../web/entries/amount.ts'
import type { LocalRecord } from '../../web/store/record.ts'

const past = (unit: string, ...values: readonly number[]): readonly PastAmount[] =>
  values.map((value) => ({ value, unit }))
const kilos = past('kg', 18, 20, 22, 19, 21)

test('an amount above ten times or below a tenth of the median is unusual, and neither bound is', () => {
  const kindOf = (value: string) => unusualAmount({ value, unit: 'kg' }, kilos)?.kind
  expect(['200', '200.1', '2', '1.99'].map(kindOf)).toEqual([undefined, 'more', undefined, 'less'])
  expect(unusualAmount({ value: '1850', unit: 'kg' }, kilos)).toEqual({ kind: 'more', usual: '20 kg' })
})

test('nothing is unusual below five records, without a figure, or in a unit with few records', () => {
  expect(unusualAmount({ value: '9999', unit: 'kg' }, kilos.slice(1))).toBeUndefined()
  expect(unusualAmount({ value: '', unit: 'crates' }, kilos)).toBeUndefined()
  expect(unusualAmount({ value: '900', unit: 'crates' }, [...kilos, ...past('crates', 1)])).toBeUndefined()
})

test('a unit never used before is unusual, and the usual one is named', () => {
  expect(unusualAmount({ value: '20', unit: 'crates' }, kilos)).toEqual({ kind: 'unit', usual: 'kg' })
})

test('only the last 20 amounts of a unit count', () => {
  const lately = past('kg', ...Array.from({ length: 20 }, () => 2))
  const before = past('kg', ...Array.from({ length: 40 }, () => 200))
  expect(unusualAmount({ value: '200', unit: 'kg' }, [...lately, ...before])?.kind).toBe('more')
})

test('units are those of the farm’s own records, the most frequent first', () => {
  const part = (value: string, unit: string) => ({ value, unit: { id: '1', name: unit } })
  const log = { fields: { quantity: [part('6', 'eggs'), part('1', 'boxes'), part('12', 'eggs')] } } as unknown
  expect(usualUnits(pastAmounts([log as LocalRecord]))).toEqual(['eggs', 'boxes'])
})
