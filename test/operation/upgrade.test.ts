import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { moveIn } from '../../src/records/moving/move-in.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { existingTables } from '../../src/storage/backup/asking.ts'
import { onPlainFile } from '../../src/storage/backup/plain-file.ts'
import { verify } from '../../src/storage/backup/verification.ts'
import { migrate, newest } from '../../src/storage/migrate.ts'
import { openDatabase, type Place } from '../../src/storage/open.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { emptyDirectory, emptyPlace, engines, postgresDatabase } from '../harness/databases.ts'
import { examinedAt } from './examined.ts'
import { moveTo, quiet } from './moves.ts'

const firstSteps = newest - 1

const openAsItIs = ({ data, database }: Place) =>
  database === null ? openSqlite(join(data, 'farm.sqlite')) : openPostgres(database)

/** A farm as an earlier release has left it. */
async function earlierFarm(engine: (typeof engines)[number], version = firstSteps): Promise<Place> {
  const place = {
    data: await emptyDirectory(),
    database: engine === 'postgres' ? await postgresDatabase('template0') : null,
  }
  const database = await openAsItIs(place)
  await migrate(database, wallClock, { upTo: version })
  await database.write((rows) => rows.insertInto('setting').values({ name: 'name', value: 'Old farm' }).execute())
  await database.close()
  return place
}

const copiesIn = async ({ data }: Place) => (await readdir(data)).filter((name) => name.startsWith('farm-version-'))

describe.each(engines)('an upgrade on %s', (engine) => {
  test('keeps a verified copy of the farm as it was, once', async () => {
    const place = await earlierFarm(engine)
    for (let start = 0; start < 2; start += 1) await (await openDatabase(place)).close()
    const copies = await copiesIn(place)
    expect(copies).toHaveLength(1)
    const copy = join(place.data, copies[0] ?? '')
    if (engine === 'sqlite') {
      const version = onPlainFile(copy, (file) => file.list('max(version)', 'migration'))
      const name = onPlainFile(copy, (file) => file.list('value', "setting where name = 'name'"))
      expect([version, name]).toEqual([[firstSteps], ['Old farm']])
    } else {
      expect(await verify(archiveAt(copy), quiet)).toMatchObject({ schema: firstSteps, rows: { setting: 1 } })
      const target = await emptyPlace('sqlite')
      await moveIn(archiveAt(copy), moveTo(target))
      expect(await examinedAt(target)).toEqual([])
    }
  })

  test('over several versions that fails at the last of them changes nothing, and can be done later', async () => {
    const place = await earlierFarm(engine, 1)
    const old = await openAsItIs(place)
    await old.write((rows) => sql`create table kept_answer (in_the_way integer)`.execute(rows))
    const tables = () => old.read((rows) => existingTables(rows, engine))
    const before = await tables()
    await expect(openDatabase(place)).rejects.toThrow('kept_answer')
    expect(await tables()).toEqual(before)
    const versions = await old.read((rows) => rows.selectFrom('migration').select('version').execute())
    expect(versions).toEqual([{ version: 1 }])
    await old.write((rows) => sql`drop table kept_answer`.execute(rows))
    await old.close()
    await (await openDatabase(place)).close()
    expect(await examinedAt(place)).toEqual([])
  })

  test('of a farm that was just born keeps no copy', async () => {
    const place = {
      data: await emptyDirectory(),
      database: engine === 'postgres' ? await postgresDatabase('template0') : null,
    }
    await (await openDatabase(place)).close()
    expect(await copiesIn(place)).toEqual([])
  })
})

test('an upgrade that cannot keep a copy first changes nothing and says why', async () => {
  const { database } = await earlierFarm('postgres')
  const file = join(await emptyDirectory(), 'a-file')
  await writeFile(file, '')
  await expect(openDatabase({ data: file, database })).rejects.toThrow('The farm was not changed')
  const server = await openPostgres(database ?? '')
  const versions = await server.read((rows) => rows.selectFrom('migration').select('version').execute())
  await server.close()
  expect(versions).toHaveLength(firstSteps)
})
