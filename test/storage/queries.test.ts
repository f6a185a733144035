import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'

function log(name: string, timestamp = 1_600_000_000) {
  const times = { created: timestamp, changed: timestamp, timestamp }
  return {
    ...times,
    uuid: randomUUID(),
    bundle: 'farm_activity',
    name,
    name_key: name,
    uid: 1,
    revision: 1,
    fields: '{}',
    status: 'done' as const,
  }
}

describe.each(engines)('queries on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })

  test('ids count up from 1, come back from the insert as numbers, and are never given twice', async () => {
    const insert = () =>
      database.write((tx) => tx.insertInto('log').values(log('plough')).returning('id').executeTakeFirstOrThrow())
    const first = await insert()
    const second = await insert()
    await database.write((tx) => tx.deleteFrom('log').where('id', '=', second.id).execute())
    const third = await insert()
    expect([first.id, second.id, third.id]).toEqual([1, 2, 3])
  })

  test('key columns are ordered byte by byte, whatever the language', async () => {
    const names = ['zebra', 'Zebra', 'älg', 'ähre', 'apple', '中', '🐝', 'ﬁg', 'é', 'e\u0301', '-', 'a b', 'ab']
    await database.write((tx) =>
      tx
        .insertInto('term_claim')
        .values(names.map((name) => ({ vocabulary: 'order', name_key: name })))
        .execute(),
    )
    const sorted = await database.read((snapshot) =>
      snapshot
        .selectFrom('term_claim')
        .select('name_key')
        .where('vocabulary', '=', 'order')
        .orderBy('name_key')
        .execute(),
    )
    const bytewise = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(sorted.map((row) => row.name_key)).toEqual(bytewise)
    const beyond = await database.read((snapshot) =>
      snapshot.selectFrom('term_claim').select('name_key').where('name_key', '>', 'z').orderBy('name_key').execute(),
    )
    expect(beyond.map((row) => row.name_key)).toEqual(
      bytewise.filter((name) => Buffer.compare(Buffer.from(name), Buffer.from('z')) > 0),
    )
  })

  test('counts, sums and truth are numbers', async () => {
    const row = await database.read((snapshot) =>
      snapshot
        .selectNoFrom((eb) => [
          eb.exists(eb.selectFrom('migration').select('version')).as('there'),
          eb
            .selectFrom('migration')
            .select((inner) => inner.fn.countAll<number>().as('n'))
            .where('version', '=', 1)
            .as('count'),
          eb
            .selectFrom('migration')
            .select((inner) => inner.fn.sum<number>('version').as('n'))
            .where('version', '=', 1)
            .as('sum'),
        ])
        .executeTakeFirstOrThrow(),
    )
    expect({ ...row }).toEqual({ there: 1, count: 1, sum: 1 })
  })

  test('whole numbers beyond 32 bits and before 1970 are kept exactly', async () => {
    const times = [Number.MAX_SAFE_INTEGER, 2 ** 31, -1, -(2 ** 40)]
    await database.write((tx) =>
      tx
        .insertInto('log')
        .values(times.map((time) => log('far', time)))
        .execute(),
    )
    const found = await database.read((snapshot) =>
      snapshot
        .selectFrom('log')
        .select('timestamp')
        .where('timestamp', 'in', times)
        .where('name', '=', 'far')
        .orderBy('id')
        .execute(),
    )
    expect(found.map((row) => row.timestamp)).toEqual(times)
  })

  test('bytes come back as they went', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value)
    await database.write((tx) => tx.insertInto('blob_chunk').values({ sha256: 'x', position: 0, bytes }).execute())
    const row = await database.read((snapshot) =>
      snapshot.selectFrom('blob_chunk').selectAll().executeTakeFirstOrThrow(),
    )
    expect(row.bytes).toBeInstanceOf(Uint8Array)
    expect(Buffer.from(row.bytes).equals(bytes)).toBe(true)
  })

  test('a change says how many rows it touched, with and without returning them', async () => {
    const touched = await database.write(async (tx) => {
      await tx
        .insertInto('log')
        .values([log('count'), log('count'), log('other')])
        .execute()
      const update = await tx
        .updateTable('log')
        .set({ revision: 2 })
        .where('name', '=', 'count')
        .executeTakeFirstOrThrow()
      const again = await tx.insertInto('setting').values({ name: 'n', value: '1' }).executeTakeFirstOrThrow()
      const ignored = await tx
        .insertInto('setting')
        .values({ name: 'n', value: '2' })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirstOrThrow()
      const returned = await tx.deleteFrom('log').where('name', '=', 'count').returning('revision').execute()
      const none = await tx.deleteFrom('log').where('name', '=', 'count').executeTakeFirstOrThrow()
      return {
        updated: update.numUpdatedRows,
        inserted: again.numInsertedOrUpdatedRows,
        ignored: ignored.numInsertedOrUpdatedRows,
        returned: returned.map((row) => row.revision),
        none: none.numDeletedRows,
      }
    })
    expect(touched).toEqual({ updated: 2n, inserted: 1n, ignored: 0n, returned: [2, 2], none: 0n })
  })

  test('row locks may be asked for everywhere', async () => {
    const names = await database.write(async (tx) => {
      await tx.insertInto('setting').values({ name: 'locked', value: '' }).execute()
      const setting = tx.selectFrom('setting').select('name').where('name', '=', 'locked')
      return [
        await setting.forUpdate().executeTakeFirst(),
        await setting.forNoKeyUpdate().executeTakeFirst(),
        await setting.forShare().noWait().executeTakeFirst(),
        await setting.forKeyShare().executeTakeFirst(),
        await setting.forUpdate().skipLocked().executeTakeFirst(),
        await setting.distinct().executeTakeFirst(),
      ]
    })
    expect(names.map((row) => row?.name)).toEqual(Array(6).fill('locked'))
  })

  test('an update that names the same row from many writers at once loses none of them', async () => {
    await database.write((tx) => tx.insertInto('setting').values({ name: 'tally', value: '0' }).execute())
    const increment = () =>
      database.write(async (tx) => {
        const tally = tx.selectFrom('setting').select('value').where('name', '=', 'tally').forUpdate()
        const { value } = await tally.executeTakeFirstOrThrow()
        await tx
          .updateTable('setting')
          .set({ value: String(Number(value) + 1) })
          .where('name', '=', 'tally')
          .execute()
      })
    await Promise.all(Array.from({ length: 50 }, increment))
    const { value } = await database.read((snapshot) =>
      snapshot.selectFrom('setting').select('value').where('name', '=', 'tally').executeTakeFirstOrThrow(),
    )
    expect(value).toBe('50')
  })

  test('raw statements see the same columns', async () => {
    const rows = await database.write((writing) =>
      sql<{ n: number }>`select ${1} + 1 as n`.execute(writing).then((result) => result.rows),
    )
    expect(rows.map((row) => row.n)).toEqual([2])
  })
})
