import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { retryWhileBusy } from '../../src/storage/sqlite/write-queue.ts'
import { emptyDirectory, openTestDatabase } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

async function emptyFile(): Promise<string> {
  return join(await emptyDirectory(), 'farm.sqlite')
}

function openFor(path: string, patience: number): Database {
  const database = openSqlite(path, patience)
  atEndOfFile(() => database.close())
  return database
}

async function pragma(database: Database, name: string): Promise<unknown> {
  const { rows } = await database.write((writing) =>
    sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(writing),
  )
  return Object.values(rows[0] ?? {})[0]
}

function insert(database: Database, name: string) {
  return database.write((tx) => tx.insertInto('setting').values({ name, value: '' }).execute())
}

test('every open of the same folder syncs each commit to disk', async () => {
  const data = await emptyDirectory()
  for (let open = 1; open <= 3; open++) {
    const database = await openDatabase({ data, database: null })
    expect(await pragma(database, 'synchronous')).toBe(2)
    expect(await pragma(database, 'journal_mode')).toBe('wal')
    expect(await pragma(database, 'foreign_keys')).toBe(1)
    expect(await pragma(database, 'busy_timeout')).toBe(0)
    await database.close()
  }
})

test('the data directory is made where it is missing, for its owner only', async () => {
  const data = join(await emptyDirectory(), 'deep', 'farm')
  await (await openDatabase({ data, database: null })).close()
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(statSync(join(data, 'farm.sqlite')).isFile()).toBe(true)
})

test('a file that is no database is refused by name', async () => {
  const path = join(process.cwd(), 'package.json')
  expect(() => openSqlite(path)).toThrow(`The database ${path} cannot be opened`)
})

test('writes run one after another in the order in which they were asked for', async () => {
  const database = await openTestDatabase('sqlite')
  const events: string[] = []
  const names = Array.from({ length: 150 }, (_, number) => `job ${number}`)
  await Promise.all(
    names.map((name) =>
      database.write(async (tx) => {
        events.push(`${name} begins`)
        await tx.insertInto('setting').values({ name, value: '' }).execute()
        events.push(`${name} ends`)
      }),
    ),
  )
  expect(events).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]))
})

/** A database, and how many rows another connection sees in it. */
async function observed(): Promise<{ readonly database: Database; readonly committed: () => number }> {
  const path = await emptyFile()
  const database = await openDatabase({ data: join(path, '..'), database: null })
  atEndOfFile(() => database.close())
  const observer = new DatabaseSync(path)
  atEndOfFile(() => observer.close())
  return { database, committed: () => observer.prepare('select count(*) as n from setting').get().n }
}

test('a write is answered only once it is committed, and those that wait together are committed together', async () => {
  const { database, committed } = await observed()
  let round = 0
  // A busy machine may end a batch before all have joined it: then they try again.
  const together = async () => {
    const before = committed()
    round += 1
    return Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        await insert(database, `together ${round} ${number}`)
        return committed() - before
      }),
    )
  }
  await expect.poll(together).toEqual(Array(20).fill(20))
})

test('what comes while others are being written is committed together with them', async () => {
  const { database, committed } = await observed()
  let round = 0
  // A busy machine may end a batch before the second has joined it: then they try again.
  const together = async () => {
    const before = committed()
    const arriving: Promise<unknown>[] = []
    round += 1
    await database.write(async (tx) => {
      await tx
        .insertInto('setting')
        .values({ name: `first ${round}`, value: '' })
        .execute()
      setImmediate(() => arriving.push(insert(database, `second ${round}`)))
    })
    const atOnce = committed() - before
    await Promise.all(arriving)
    return atOnce
  }
  await expect.poll(together).toBe(2)
})

test('a write that fails disturbs those before it only if it has written already: then they are run again', async () => {
  // A busy machine may end a batch before all have joined it: then another database tries again.
  const tried = async () => {
    const database = await openTestDatabase('sqlite')
    const ran: string[] = []
    const write = (name: string, failing?: 'before' | 'after') =>
      database.write(async (tx) => {
        ran.push(name)
        await tx.selectFrom('setting').select('name').execute()
        if (failing === 'before') throw new Error(name)
        await tx.insertInto('setting').values({ name, value: '' }).execute()
        if (failing === 'after') throw new Error(name)
      })
    await Promise.allSettled([write('a'), write('b', 'before'), write('c')])
    const outcomes = await Promise.allSettled([write('d'), write('e', 'after'), write('f'), write('g', 'before')])
    const kept = await database.read((snapshot) =>
      snapshot.selectFrom('setting').select('name').orderBy('name').execute(),
    )
    return { ran, outcomes: outcomes.map(({ status }) => status), kept: kept.map(({ name }) => name) }
  }
  await expect.poll(tried).toEqual({
    ran: ['a', 'b', 'c', 'd', 'e', 'd', 'f', 'g'],
    outcomes: ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    kept: ['a', 'c', 'd', 'f'],
  })
})

test('a commit that fails rejects every write of its batch and keeps none of them', async () => {
  const database = await openTestDatabase('sqlite')
  await database.write(async (tx) => {
    await sql`create table parent (id integer primary key)`.execute(tx)
    await sql`create table child (parent integer references parent (id) deferrable initially deferred)`.execute(tx)
  })
  const stored: string[] = []
  let round = 0
  // A busy machine may end a batch before all three have joined it: then they try again.
  const together = async () => {
    const [before, after] = [`before ${++round}`, `after ${round}`]
    const outcomes = await Promise.allSettled([
      insert(database, before),
      database.write((tx) => sql`insert into child values (7)`.execute(tx)),
      insert(database, after),
    ])
    stored.push(...[before, '', after].filter((name, nth) => name !== '' && outcomes[nth]?.status === 'fulfilled'))
    return outcomes.map((outcome) => outcome.status)
  }
  await expect.poll(together).toEqual(['rejected', 'rejected', 'rejected'])
  const left = await database.read((snapshot) => snapshot.selectFrom('setting').select('name').execute())
  expect(left.map(({ name }) => name).toSorted()).toEqual(stored.toSorted())
  await insert(database, 'afterwards')
})

test('while another process holds the lock, the event loop runs on; a write waits, then refuses as busy', async () => {
  const path = await emptyFile()
  await (await openDatabase({ data: join(path, '..'), database: null })).close()
  const database = openFor(path, 300)
  const other = new DatabaseSync(path)
  atEndOfFile(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  let ticks = 0
  const ticking = setInterval(() => ticks++, 5)
  await expect(insert(database, 'impatient')).rejects.toMatchObject({ refusal: 'busy' })
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(10)

  const patient = insert(database, 'patient')
  setTimeout(() => other.exec('COMMIT'), 50)
  await patient
  const names = await database.read((snapshot) => snapshot.selectFrom('setting').select('name').execute())
  expect(names.map((row) => row.name)).toEqual(['patient'])
})

test('a lock that is met while rows are read is known as one', async () => {
  const path = await emptyFile()
  const [one, other] = [new DatabaseSync(path), new DatabaseSync(path, { timeout: 0 })]
  atEndOfFile(() => one.close())
  atEndOfFile(() => other.close())
  one.exec('create table note (text)')
  const reading = other.prepare('select * from note')
  expect(reading.all()).toEqual([])
  one.exec('begin exclusive')
  await expect(retryWhileBusy(20, () => reading.all())).rejects.toMatchObject({ refusal: 'busy' })
})

test('closing waits for what is still to be written', async () => {
  const data = await emptyDirectory()
  const database = await openDatabase({ data, database: null })
  const writes = Array.from({ length: 100 }, (_, number) => insert(database, `late ${number}`))
  await database.close()
  await Promise.all(writes)
  const again = await openDatabase({ data, database: null })
  const { count } = await again.read((snapshot) =>
    snapshot
      .selectFrom('setting')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  )
  await again.close()
  expect(count).toBe(100)
})
