import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import type { Database, Engine } from '../../src/storage/database.ts'
import { fingerprint } from '../../src/storage/file-rows.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { emptyDirectory, emptyPlace, engines, postgresDatabase } from '../harness/databases.ts'
import { backedUp, exported, importInto, moveTo } from './moves.ts'

/** The version of the tables before files could be found by their names. */
const before = 10

/** A PNG of 3 × 2 pixels, as far as its header. */
const header = Buffer.from('89504e470d0a1a0a0000000d49484452000000030000000208060000', 'hex')

const words = Buffer.from('text')

const rows = [
  { uuid: 'a', name: 'Leaf.PNG', mime: 'image/png', bytes: header },
  { uuid: 'b', name: "Bill's.txt", mime: 'text/plain', bytes: words },
  { uuid: 'c', name: 'broken.jpg', mime: 'image/jpeg', bytes: words },
]

async function earlierFarm(engine: Engine): Promise<StoragePlace> {
  const database = engine === 'postgres' ? await postgresDatabase('template0') : null
  const place = { data: await emptyDirectory(), database }
  const opened = database === null ? await openSqlite(join(place.data, 'farm.sqlite')) : await openPostgres(database)
  await migrate(opened, wallClock, { upTo: before })
  await opened
    .write(async (tx) => {
      for (const { uuid, name, mime, bytes } of rows) {
        const row = { uuid, name, mime, size: bytes.length, sha256: fingerprint(bytes) }
        await tx
          .insertInto('file')
          .columns(['uuid', 'name', 'mime', 'size', 'sha256', 'uid', 'created'])
          .expression(
            tx.selectNoFrom(({ cast, val, lit }) => [
              val(row.uuid).as('uuid'),
              val(row.name).as('name'),
              val(row.mime).as('mime'),
              cast<number>(val(row.size), 'integer').as('size'),
              val(row.sha256).as('sha256'),
              lit(0).as('uid'),
              lit(1).as('created'),
            ]),
          )
          .execute()
      }
      for (const bytes of [header, words]) {
        const sha256 = fingerprint(bytes)
        await tx.insertInto('blob').values({ sha256, size: bytes.length }).execute()
        await tx.insertInto('blob_chunk').values({ sha256, position: 0, bytes }).execute()
      }
    })
    .finally(() => opened.close())
  return place
}

const shown = (database: Database) =>
  database.read((snapshot) =>
    snapshot
      .selectFrom('file')
      .select(['name', 'name_key', 'width', 'height', 'alt', 'changed', 'unused_since', 'last_type'])
      .orderBy('id')
      .execute(),
  )

async function filesAt(place: StoragePlace) {
  const database = await openDatabase(place)
  return shown(database).finally(() => database.close())
}

describe.each(engines)('the files of an earlier farm on %s', (engine) => {
  test('are found by their names, and images tell their size', async () => {
    const found = await filesAt(await earlierFarm(engine))
    const untold = { alt: null, changed: null, unused_since: null, last_type: null }
    expect(found).toEqual([
      { name: 'Leaf.PNG', name_key: 'leaf.png', width: 3, height: 2, ...untold },
      { name: "Bill's.txt", name_key: "bill's.txt", width: null, height: null, ...untold },
      { name: 'broken.jpg', name_key: 'broken.jpg', width: null, height: null, ...untold },
    ])
  })
})

describe.each(engines)('what is said of a file on %s, and that it waits for its record', (engine) => {
  test('comes along with a backup and an export', async () => {
    const place = await emptyPlace(engine)
    const database = await openDatabase(place)
    await database.write(async (tx) => {
      const bytes = words
      const sha256 = fingerprint(bytes)
      await tx.insertInto('blob').values({ sha256, size: bytes.length }).execute()
      await tx.insertInto('blob_chunk').values({ sha256, position: 0, bytes }).execute()
      const uuid = '3b241101-e2bb-4255-8caf-4136c566a962'
      const texts = { alt: 'A bean', title: 'Bean', description: 'Bill', width: 3, height: 2, changed: 7 }
      const row = { uuid, name: 'A.txt', name_key: 'a.txt', mime: 'text/plain', size: 4, sha256, uid: 0, created: 1 }
      const { id } = await tx
        .insertInto('file')
        .values({ ...row, ...texts, unused_since: 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx.insertInto('identity').values({ uuid, type: 'file', number: id, uid: 0 }).execute()
    })
    const wanted = await shown(database).finally(() => database.close())
    expect(wanted).toMatchObject([{ alt: 'A bean', unused_since: 1, last_type: null }])
    const restored = await emptyPlace(engine)
    await restoreFarm(archiveAt(await backedUp(place)), moveTo(restored))
    expect(await filesAt(restored)).toEqual(wanted)
    const imported = await emptyPlace(engine)
    await importInto(imported, await exported(place))
    expect(await filesAt(imported)).toEqual(wanted)
  })
})
