import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocalRecord } from '../../web/store/record.ts'
import { walks } from '../../web/sync/first-load.ts'
import { nextPageLimit } from '../../web/sync/list-pages.ts'
import { backoff } from '../../web/sync/schedule.ts'

interface Dated {
  readonly id: number
  readonly time: number
}

/** What a server answers to a walk by time. */
function answer(logs: readonly Dated[], query: Readonly<Record<string, string>>, limit: number): Dated[] {
  const until = Number(query['timestamp[le]'] ?? Number.POSITIVE_INFINITY)
  const found = logs
    .filter(({ time }) => time <= until)
    .toSorted((one, other) => other.time - one.time || one.id - other.id)
  const first = Number(query.page ?? 0) * limit
  return found.slice(first, first + limit)
}

const kept = ({ id, time }: Dated): LocalRecord => ({
  uuid: `${id}`,
  type: 'log',
  id: `${id}`,
  bundle: 'farm_activity',
  name: '',
  version: '1.e',
  fields: { timestamp: `${time}` },
})

test('a walk by time reads every log, however many share a second and whatever the page size', () => {
  const times = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40 })
  const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(times, limits, (given, sizes) => {
      const logs = given.map((time, id) => ({ id, time }))
      const met = new Set<number>()
      let behind: string | null = null
      for (let step = 0; step < 200; step += 1) {
        const at = { behind, since: 0, limit: sizes[step % sizes.length] ?? 1 }
        const page = answer(logs, walks.recent.query(at), at.limit)
        for (const { id } of page) met.add(id)
        const next = walks.recent.behind(page.map(kept), at)
        if (page.length < at.limit) break
        behind = next
      }
      expect(met.size).toBe(logs.length)
    }),
  )
})

test('a walk by id continues after the last record', () => {
  const at = { behind: null, since: 0, limit: 2 }
  expect(walks.terms.query(at)).toEqual({ with: 'uuid,version,archived', sort: 'id' })
  const behind = walks.terms.behind([kept({ id: 3, time: 1 }), kept({ id: 8, time: 1 })], at)
  expect(walks.terms.query({ ...at, behind })).toMatchObject({ 'id[gt]': '8' })
})

test('the page size adapts to answers of one megabyte', () => {
  expect(nextPageLimit(100, 100_000)).toBe(1000)
  expect(nextPageLimit(500, 4_000_000)).toBe(125)
  expect(nextPageLimit(1, 30_000_000)).toBe(1)
})

test('the backoff grows from 2 s to 5 min, unless the server sends Retry-After', () => {
  expect([1, 2, 3, 8, 9, 99].map((failures) => backoff(failures, null))).toEqual([
    2000, 4000, 8000, 256_000, 300_000, 300_000,
  ])
  expect(backoff(3, 7)).toBe(7000)
})
