import { describe, expect, test } from 'vitest'
import { engines } from '../harness/databases.ts'
import { everySecondOf } from '../harness/share-of-engine.ts'

describe.each([0, 1, 2, 3, 8, 9])('of %i cases', (count) => {
  const cases = Array.from({ length: count }, (_, nth) => nth)
  const [onSqlite = [], onPostgres = []] = engines.map((engine) => everySecondOf(engine, cases))

  test('each is tried on some engine', () => {
    expect(new Set([...onSqlite, ...onPostgres])).toEqual(new Set(cases))
  })

  test('half are tried on each engine, and as many on either', () => {
    expect([onSqlite.length, onPostgres.length]).toEqual([Math.ceil(count / 2), Math.ceil(count / 2)])
  })
})
