import { expect, test } from 'vitest'
import { newUuid } from '../../src/records/writing/draft.ts'

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('identities have the version digit 4 and tell the second they were made in', () => {
  const identity = newUuid(1_700_000_000)
  expect(identity).toMatch(version4)
  expect(Number.parseInt(identity.replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000)
})

test('identities are in the order they were made in, within a second and from second to second', () => {
  const made = [1_800_000_000, 1_800_000_001].flatMap((now) => Array.from({ length: 20_000 }, () => newUuid(now)))
  expect(made).toEqual(made.toSorted())
})

test('no identity is made twice, also where the clock is set back', () => {
  const made = [5, 6, 5, 6, 5].flatMap((now) => Array.from({ length: 1000 }, () => newUuid(now)))
  expect(new Set(made).size).toBe(5000)
})
