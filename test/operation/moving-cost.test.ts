import type { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { Consequences } from '../../src/records/moving/consequences.ts'
import { importRows } from '../../src/storage/backup/import-rows.ts'
import type { ArchiveEntry } from '../../src/storage/backup/manifest.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'
import { quiet } from './moves.ts'

const awkward = 'tab\t newline\n return\r backslash \\N \\. "quoted" nothing \u2028 🐄'

const logOf = (id: number) => ({
  id,
  uuid: `log-${id}`,
  bundle: 'farm_harvest',
  name: `${awkward} ${id}`,
  name_key: `name ${id}`,
  uid: 1,
  created: 1,
  changed: 1,
  revision: 1,
  fields: {
    area: [1],
    asset: [id],
    log_category: [1],
    notes: { value: awkward, format: 'farm_format' },
    movement: { uuid: `m-${id}`, area: [7] },
    inventory: [{ uuid: `i-${id}`, asset: id, value: '2.5' }],
    quantity: [{ uuid: `q-${id}`, measure: 'weight', value: '12.0', label: 'Today' }],
  },
  timestamp: 1_600_000_000 + id,
  status: 'done',
})

async function* piece(lines: readonly string[]): AsyncGenerator<ArchiveEntry> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  yield { name: 'log/000001.jsonl', size: bytes.length, bytes: [bytes] }
}

/** The database, and how many statements of rows it is given. */
function counting(database: Database): { readonly counted: Database; statements(): number } {
  let statements = 0
  const ofRows = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'executeQuery' && name !== 'send') return value.bind(target)
        return (query: CompiledQuery) => {
          if (/^(insert|copy) /.test(query.sql)) statements += 1
          return value.call(target, query)
        }
      },
    })
  const counted = {
    ...database,
    write: <T>(work: (tx: Transaction) => Promise<T>) => database.write((tx) => work(ofRows(tx))),
  }
  return { counted, statements: () => statements }
}

const manifest = {
  format: 'furrow-farm-1',
  schema: 3,
  numbers: {},
  rows: {},
  pieces: [],
  blobs: { count: 0, size: 0, sha256: '' },
} as const

const most = { sqlite: 160, postgres: 5 }

describe.each(engines)('moving in on %s', (engine) => {
  const arrive = (database: Database, lines: readonly string[]) =>
    importRows(database, piece(lines), { manifest, report: quiet, follower: new Consequences(stockFarm) })

  test('takes few statements for a thousand logs, their index and their histories, and loses no character', async () => {
    const database = await openTestDatabase(engine)
    const { counted, statements } = counting(database)
    const logs = Array.from({ length: 1000 }, (_, n) => logOf(n + 1))
    await arrive(
      counted,
      logs.map((log) => JSON.stringify(log)),
    )
    expect(statements()).toBeGreaterThan(4)
    expect(statements()).toBeLessThanOrEqual(most[engine])
    await database.read(async (snapshot) => {
      const kept = await snapshot.selectFrom('log').selectAll().orderBy('id').execute()
      expect(kept).toEqual(logs.map((log) => ({ ...log, fields: JSON.stringify(log.fields) })))
      const countOf = async (table: 'reference' | 'facet' | 'stay' | 'inventory_change') =>
        (await snapshot.selectFrom(table).selectAll().execute()).length
      expect(await countOf('reference')).toBe(5000)
      expect(await countOf('facet')).toBe(5000)
      expect(await countOf('stay')).toBe(1000)
      expect(await countOf('inventory_change')).toBe(1000)
    })
  })

  test.each([
    ['is no JSON', '{"id":1,'],
    ['is no row', '5'],
    ['is nothing', 'null'],
    ['lacks a column', JSON.stringify({ ...logOf(3), status: undefined })],
    ['has a column too many', JSON.stringify({ ...logOf(3), more: 1 })],
    ['has another column', JSON.stringify({ ...logOf(3), status: undefined, more: 1 })],
  ])('refuses a line that %s in words, and goes on working', async (_, line) => {
    const database = await openTestDatabase(engine)
    const lines = [JSON.stringify(logOf(1)), JSON.stringify(logOf(2)), line]
    await expect(arrive(database, lines)).rejects.toThrow('Line 3 of log/000001.jsonl is not a row of a table')
    expect(await database.read((snapshot) => snapshot.selectFrom('log').select('id').execute())).toEqual([])
    await arrive(database, lines.slice(0, 2))
    expect(await database.read((snapshot) => snapshot.selectFrom('log').select('id').execute())).toHaveLength(2)
  })

  test.each([
    ['is no JSON', '{"id":1,'],
    ['is no row', '5'],
    ['is nothing', 'null'],
    ['has a column that is no name and would be part of a statement', '{"id":1,"id\\") values (1); --":1}'],
  ])('refuses a piece whose first line %s', async (_, line) => {
    const database = await openTestDatabase(engine)
    await expect(arrive(database, [line])).rejects.toThrow('is not a row of a table')
  })

  test('keeps nothing of a piece with a value that its column cannot hold', async () => {
    const database = await openTestDatabase(engine)
    const lines = [JSON.stringify(logOf(1)), JSON.stringify({ ...logOf(2), uid: 'somebody' })]
    await expect(arrive(database, lines)).rejects.toThrow()
    expect(await database.read((snapshot) => snapshot.selectFrom('log').select('id').execute())).toEqual([])
  })
})
