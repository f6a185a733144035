import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/open.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import { emptyPlace } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { openFarm } from '../harness/farm.ts'

async function openSmall(capacity: { readonly connections: number; readonly patience: number }) {
  const { database: url } = await emptyPlace('postgres')
  const database = await openPostgres(url ?? '', capacity)
  atEndOfFile(() => database.close())
  await database.write((tx) => tx.insertInto('setting').values({ name: 'count', value: '0' }).execute())
  return database
}

const busy = { refusal: 'busy', message: expect.stringMatching(/^The farm is busy/), details: { retryAfterSeconds: 1 } }

/** A promise that the test keeps. */
function promised() {
  let keep = () => {}
  const kept = new Promise<void>((resolve) => {
    keep = resolve
  })
  return { kept, keep }
}

describe('many at once on PostgreSQL', () => {
  test('many more writers of one row than connections are all served, with readers beside them', async () => {
    const database = await openSmall({ connections: 2, patience: 60_000 })
    const write = () =>
      database.write(async (tx) => {
        const row = await tx.selectFrom('setting').select('value').where('name', '=', 'count').forUpdate().execute()
        await tx
          .updateTable('setting')
          .set({ value: String(Number(row[0]?.value) + 1) })
          .where('name', '=', 'count')
          .execute()
      })
    const read = () => database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())
    await Promise.all(Array.from({ length: 40 }, () => [write(), read()]).flat())
    expect(await read()).toEqual([{ name: 'count', value: '40' }])
  })

  test.each(['write', 'read'] as const)(
    'a %s that finds no connection in time hears that the farm is busy',
    async (how) => {
      const database = await openSmall({ connections: 1, patience: 100 })
      const { kept, keep } = promised()
      const holding = database[how](() => kept)
      await expect(database[how](async () => 'never')).rejects.toMatchObject(busy)
      keep()
      await holding
      expect(await database[how](async () => 'again')).toBe('again')
    },
  )

  test('a write that waits too long for a row hears that the farm is busy, and nothing is saved', async () => {
    const database = await openSmall({ connections: 2, patience: 100 })
    const { kept, keep } = promised()
    const { kept: isLocked, keep: lock } = promised()
    const holding = database.write(async (tx) => {
      await sql`select from setting for update`.execute(tx)
      lock()
      await kept
    })
    await isLocked
    const late = database.write(async (tx) => {
      await tx.insertInto('setting').values({ name: 'late', value: '' }).execute()
      await tx.updateTable('setting').set({ value: 'late' }).where('name', '=', 'count').execute()
    })
    await expect(late).rejects.toMatchObject(busy)
    keep()
    await holding
    const rows = await database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())
    expect(rows).toEqual([{ name: 'count', value: '0' }])
  })

  test('a commit that is not confirmed in time is refused as busy, and may still be saved', async () => {
    const database = await openSmall({ connections: 2, patience: 1_000 })
    await database.write(async (tx) => {
      await sql`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(5); return null; end'`.execute(
        tx,
      )
      await sql`create constraint trigger slow after insert on setting deferrable initially deferred
        for each row execute function slow()`.execute(tx)
    })
    const late = database.write((tx) => tx.insertInto('setting').values({ name: 'late', value: '' }).execute())
    await expect(late).rejects.toMatchObject({
      refusal: 'busy',
      message: expect.stringContaining('It may still be saved'),
      details: { retryAfterSeconds: 5 },
    })
    const names = () => database.read((snapshot) => snapshot.selectFrom('setting').select('name').execute())
    await expect.poll(names, { timeout: 20_000 }).toContainEqual({ name: 'late' })
  })

  test('a statement that was sent without waiting and fails is the reason of the refusal', async () => {
    const database = await openDatabase(await emptyPlace('postgres'))
    atEndOfFile(() => database.close())
    const twice = database.write(async (tx) => {
      for (const value of ['1', '2']) await tx.send(tx.insertInto('setting').values({ name: 'same', value }).compile())
      return tx.selectFrom('setting').selectAll().execute()
    })
    await expect(twice).rejects.toMatchObject({ code: '23505' })
    const alone = database.write((tx) =>
      tx.send(
        tx
          .insertInto('setting')
          .values({ name: 'one', value: null as never })
          .compile(),
      ),
    )
    await expect(alone).rejects.toMatchObject({ code: '23502' })
    expect(await database.read((snapshot) => snapshot.selectFrom('setting').selectAll().execute())).toEqual([])
  })

  test('twenty writers of one log, and of many, with readers, all get their answer', async () => {
    const farm = await openFarm({ engine: 'postgres' })
    const worker = await farm.login('worker')
    const log = { name: 'Weeding', type: 'farm_activity', timestamp: 1_600_000_000 }
    const id = await worker.create('log', log)
    const asked = Array.from({ length: 20 }, (_, nth) => [
      worker.put(`/log/${id}`, { notes: `Row ${nth}` }),
      worker.post('/log', log),
      worker.get(`/log/${id}.json`),
    ])
    const statuses = (await Promise.all(asked.flat())).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 201]))
  })
})
