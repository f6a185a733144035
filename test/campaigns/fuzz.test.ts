import { expect, it } from 'vitest'
import { slice } from './slice.ts'

it('generated requests of everybody break nothing, and those who may not write change nothing', async () => {
  const { code, text } = await slice('fuzz', '--only', 'generated', '--seconds', '10', '--seed', '21')
  expect(text).toMatch(/^fuzz: generated \d+, raw \d+, .*violations 0/m)
  expect(code, text).toBe(0)
})

it('the farm answers as a simple model of it does', async () => {
  const { code, text } = await slice('fuzz', '--only', 'model', '--seconds', '8', '--seed', '22')
  expect(text).toMatch(/^fuzz: model operations \d+, comparisons \d+, violations 0/m)
  expect(code, text).toBe(0)
})
