import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database, Snapshot } from '../../src/storage/database.ts'
import { LongReads, ReadBudget } from '../../src/storage/read-budget.ts'
import { type Condition, eitherOf, type Search } from '../../src/storage/records/condition.ts'
import { conditionSql } from '../../src/storage/records/condition-sql.ts'
import { countMatches, idsOfMatches } from '../../src/storage/records/finding.ts'
import { toValue } from '../../src/storage/records/path.ts'
import { withoutImplied } from '../../src/storage/records/value-test-sql.ts'
import { ask, fragment, paced, word } from '../../src/storage/sql/fragment.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'

const logs = 400
/** Characters that mean something in patterns, and others. */
const letters = [
  'a',
  'b',
  '.',
  '*',
  '(',
  ')',
  '|',
  '\\',
  '%',
  '_',
  '[',
  '^',
  '$',
  '+',
  '?',
  '{',
  '}',
  'ä',
  '漢',
  '🐄',
  ' ',
]
const letter = (seed: number) => letters[seed % letters.length] ?? ''
const noteOf = (id: number) => Array.from({ length: 12 }, (_, nth) => letter(id * 7 + nth * (1 + (id % 5)))).join('')

class TestReader {
  readonly #listeners = new Set<() => void>()
  #isGone = false
  readonly account = () => 1
  readonly isGone = () => this.#isGone
  readonly onGone = (tell: () => void) => {
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }

  leave(): void {
    this.#isGone = true
    for (const tell of this.#listeners) tell()
  }
}

const budgetOf = (milliseconds: number, reader = new TestReader()) => new ReadBudget('document', reader, milliseconds)

const notesLike = (values: readonly string[], operator: 'ct' | 'sw' = 'ct'): Condition => ({
  on: 'facet',
  field: 'notes',
  test: { operator, values },
})

const search = (...conditions: readonly Condition[]): Search => ({
  type: 'log',
  conditions,
  order: [{ by: { column: 'id' }, direction: 'asc' }],
})

/** Counts further than any machine comes while a test waits. */
const endless = (snapshot: Snapshot) =>
  ask<{ count: number }>(
    snapshot,
    fragment`with recursive endless(id) as (select 1 union all select id + 1 from endless where id < 2000000000)
      select count(*) as count from endless where ${paced('id')}id > 0`,
  )

const processorMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe.each(engines)('the cost of a read on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
    await database.write(async (tx) => {
      for (let id = 1; id <= logs; id++) {
        const row = {
          uuid: `u${id}`,
          bundle: 'farm_activity',
          name: 'L',
          name_key: 'l',
          uid: 1,
          created: 0,
          changed: 0,
        }
        await tx
          .insertInto('log')
          .values({ id, ...row, revision: 1, fields: '{}', timestamp: id, status: 'done' })
          .execute()
        await tx
          .insertInto('facet')
          .values({ record_id: id, path: toValue('log', 'notes'), key: noteOf(id), nth: 0, whole_key: null })
          .execute()
      }
    })
  })

  it.each([1, 2, 8, 9, 60, 199])('finds what contains any of %i texts as it is written', async (count) => {
    const texts = Array.from({ length: count }, (_, nth) =>
      [...noteOf(nth * 3 + 1)].slice(nth % 7, (nth % 7) + 2 + (nth % 3)).join(''),
    )
    const wanted = Array.from({ length: logs }, (_, nth) => nth + 1).filter((id) =>
      texts.some((text) => noteOf(id).includes(text)),
    )
    expect(wanted.length).toBeGreaterThan(0)
    expect(await database.read((snapshot) => idsOfMatches(snapshot, search(notesLike(texts))))).toEqual(wanted)
    const either = eitherOf(
      texts.map((text) => ({ on: 'field value', field: 'notes', test: { is: 'containing', text } }) as const),
    )
    expect(await database.read((snapshot) => idsOfMatches(snapshot, search(either)))).toEqual(wanted)
  })

  it('ends a read that has spent its budget, says how to ask for less, and goes on to serve', async () => {
    const before = processorMs()
    const read = database.read(endless, budgetOf(200))
    await expect(read).rejects.toMatchObject({
      refusal: 'too-costly',
      message: expect.stringMatching(/0\.2 seconds.*timestamp\[ge\]/),
    })
    // Without an end it would take minutes.
    expect(processorMs() - before).toBeLessThan(5_000)
    expect(await database.read((snapshot) => countMatches(snapshot, search()), budgetOf(2_000))).toBe(logs)
  })

  it('answers others while a long read goes on', async () => {
    let isOver = false
    const long = database.read(endless, budgetOf(400)).catch(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      await database.read((snapshot) => ask(snapshot, fragment`select id from log where id = 1`), budgetOf(2_000))
      answered += 1
      await sleep(1)
    }
    await long
    expect(answered).toBeGreaterThan(20)
  })

  it('ends long reads when their readers have gone', async () => {
    // As many as SQLite has threads for.
    const readers = [new TestReader(), new TestReader()]
    let begun = 0
    const reads = readers.map((reader) =>
      database
        .read(
          (snapshot) => {
            begun += 1
            return endless(snapshot)
          },
          budgetOf(600_000, reader),
        )
        .catch((refusal: unknown) => refusal),
    )
    // The second time each is known to be long.
    await expect.poll(() => begun).toBe(4)
    await sleep(100)
    for (const reader of readers) reader.leave()
    for (const ended of await Promise.all(reads)) {
      expect(ended).toMatchObject({ refusal: 'timeout' })
      if (engine === 'postgres')
        expect(ended).toMatchObject({ cause: { message: 'canceling statement due to user request' } })
    }
    if (engine === 'postgres') expect(await database.read(otherStatements)).toEqual([])
    // A third one finds a thread, which those two would hold for minutes.
    let attempts = 0
    const third = database.read(async (snapshot) => {
      attempts += 1
      return attempts === 1 ? endless(snapshot) : 'has a thread'
    }, budgetOf(60_000))
    expect(await third).toBe('has a thread')
  })

  it('reads the same where it is brief and where it takes long', async () => {
    const rows = (snapshot: Snapshot) =>
      ask(
        snapshot,
        fragment`select record.*, facet.* from log as record join facet on record_id = id where id < ${20} order by id`,
      )
    let begun = 0
    const inLine = await database.read(async (snapshot) => {
      begun += 1
      if (begun === 1) await endless(snapshot)
      return rows(snapshot)
    }, budgetOf(60_000))
    expect(begun).toBe(2)
    expect(inLine).toEqual(await database.read(rows))
  })

  it('sees one moment from beginning to end, also where it takes long', async () => {
    const count = (snapshot: Snapshot) =>
      ask<{ count: number }>(snapshot, fragment`select count(*) as count from setting`)
    let begun = 0
    const [before, after] = await database.read(async (snapshot) => {
      begun += 1
      if (begun === 1) await endless(snapshot)
      const counted = await count(snapshot)
      await database.write((tx) =>
        tx
          .insertInto('setting')
          .values({ name: `at ${begun}`, value: '' })
          .execute(),
      )
      return [counted, await count(snapshot)]
    }, budgetOf(60_000))
    expect(after).toEqual(before)
  })
})

/** What the server works on beside this question. */
const otherStatements = (snapshot: Snapshot) =>
  ask(
    snapshot,
    fragment`select query from pg_stat_activity where datname = current_database() and state = 'active'
    and pid <> pg_backend_pid() and query like ${'%recursive endless%'}`,
  )

it('limits a statement of a read on PostgreSQL, and never one of a write, which waits for locks only so long', async () => {
  const database = await openTestDatabase('postgres')
  const shown = (setting: string) => async (snapshot: Snapshot) => (await ask(snapshot, word(`show ${setting}`)))[0]
  expect(await database.read(shown('statement_timeout'), budgetOf(2_000))).toEqual({ statement_timeout: '100ms' })
  expect(await database.read(shown('statement_timeout'))).toEqual({ statement_timeout: '0' })
  expect(await database.write(shown('statement_timeout'))).toEqual({ statement_timeout: '0' })
  expect(await database.write(shown('lock_timeout'))).toEqual({ lock_timeout: '30s' })
})

it.each([
  ['facet', notesLike(Array.from({ length: 199 }, (_, nth) => `x${nth}y`))],
  [
    'facet',
    eitherOf(
      Array.from(
        { length: 90 },
        (_, nth) => ({ on: 'field value', field: 'notes', test: { is: 'containing', text: `x${nth}y` } }) as const,
      ),
    ),
  ],
  [
    'quantity',
    eitherOf(
      Array.from(
        { length: 90 },
        (_, nth) =>
          ({
            on: 'leading to',
            way: { by: 'quantities' },
            to: {
              is: 'record',
              type: 'quantity',
              condition: { on: 'column value', column: 'label_key', test: { is: 'containing', text: `x${nth}y` } },
            },
          }) as const,
      ),
    ),
  ],
] as const)('looks through %s once for all texts', (table, condition) => {
  expect(conditionSql('log', condition).text.match(new RegExp(`from ${table}\\b`, 'g'))).toHaveLength(1)
})

it.each([
  ['ct', ['barn', 'bar', 'ar', 'x', 'x'], ['ar', 'x']],
  ['sw', ['barn', 'bar', 'ar'], ['bar', 'ar']],
  ['gt', ['b', 'a', '\u{1f404}', '\uff5e'], ['a']],
  ['le', ['b', 'a', '\u{1f404}', '\uff5e'], ['\u{1f404}']],
  ['ge', [10, 9, 100], [9]],
  ['ne', [1, 2, 1], [1, 2]],
] as const)('asks by %s only for the values that decide', (operator, values, left) => {
  expect(withoutImplied<string | number>({ operator, values })).toEqual(left)
})

it('lets accounts take turns', async () => {
  const places = new LongReads(1)
  const order: string[] = []
  const ask = (account: number, name: string) =>
    places.whileInside(new ReadBudget('document', { ...new TestReader(), account: () => account }, 1000), async () => {
      order.push(name)
      await sleep(1)
    })
  await Promise.all([ask(1, 'a1'), ask(1, 'a2'), ask(1, 'a3'), ask(2, 'b1'), ask(2, 'b2'), ask(3, 'c1')])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})
