import { spawnSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { backUp, exportTo } from '../../src/storage/backup/back-up.ts'
import { exportIn } from '../../src/storage/backup/directory.ts'
import { onPlainFile } from '../../src/storage/backup/plain-file.ts'
import { verify } from '../../src/storage/backup/verification.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { blueprintOf } from '../../src/storage/migrations/blueprint.ts'
import { newest } from '../../src/storage/migrations/migrations.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts'
import { canBeRebuilt, existingTables, schemaVersion } from '../../src/storage/sql/existing-tables.ts'
import { tableNames } from '../../src/storage/sql/table-fates.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { builtMain, furrow, serve } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace, engines, postgresDatabase } from '../harness/databases.ts'
import { inTurnsOn, shareOf } from '../harness/share-of-engine.ts'
import { examinedAt } from './examined.ts'
import { letGoOf, moveTo, quiet } from './moves.ts'

const firstSteps = newest - 1

const { tables: everyTableBefore } = await blueprintOf('sqlite', firstSteps)
const tablesBefore = tableNames.filter((table) => table !== 'migration' && everyTableBefore.has(table))

const openAsItIs = ({ data, database }: StoragePlace) =>
  database === null ? openSqlite(join(data, 'farm.sqlite')) : openPostgres(database)

/** A farm as an earlier release has left it. */
async function earlierFarm(engine: (typeof engines)[number], version = firstSteps): Promise<StoragePlace> {
  const place = {
    data: await emptyDirectory(),
    database: engine === 'postgres' ? await postgresDatabase('template0') : null,
  }
  await inEarlierFarm(place, async (database) => {
    await migrate(database, wallClock, { upTo: version })
    await database.write((tx) => tx.insertInto('setting').values({ name: 'name', value: 'Old farm' }).execute())
  })
  return place
}

/** Opens a farm without bringing its tables up to date. */
/** Leaves no write-ahead log behind, which the next start would have to write into the farm. */
function checkpoint(data: string): void {
  const file = new DatabaseSync(join(data, 'farm.sqlite'))
  file.exec('pragma wal_checkpoint(truncate)')
  file.close()
}

async function inEarlierFarm(place: StoragePlace, work: (database: Database) => Promise<void>) {
  const database = await openAsItIs(place)
  await work(database).finally(() => database.close())
}

const earlierLog = {
  uuid: 'a-log',
  bundle: 'farm_activity',
  name: 'Ploughed',
  name_key: 'ploughed',
  uid: 1,
  created: 1,
  changed: 1,
  revision: 1,
  fields: '{"log_owner":[1],"notes":{"value":"From before","format":"farm_format"}}',
  timestamp: 1,
  status: 'done',
} as const

const copiesIn = async ({ data }: StoragePlace) =>
  (await readdir(data)).filter((name) => name.startsWith('farm-version-'))

describe.each(engines)('an upgrade on %s', (engine) => {
  const testInTurn = inTurnsOn(engine)
  testInTurn('keeps a verified copy of the farm as it was, once', async () => {
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
      await restoreFarm(archiveAt(copy), moveTo(target))
      expect(await examinedAt(target)).toEqual([])
    }
  })

  testInTurn('says at the start of the server where the copy is', async () => {
    const place = await earlierFarm(engine)
    const env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    const first = await serve([], { env })
    await first.stop()
    const [copy = 'none'] = await copiesIn(place)
    expect(first.output()).toContain(`The farm as it was before is kept in ${join(place.data, copy)}\n`)
    const second = await serve([], { env })
    await second.stop()
    expect(second.output()).not.toContain('is kept in')
  })

  testInTurn('says beside the answer of a command where the copy is', async () => {
    const place = await earlierFarm(engine)
    const env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    const { code, stdout, stderr } = await furrow(['config', 'show'], { env })
    const [copy = 'none'] = await copiesIn(place)
    expect([code, stdout]).toEqual([0, expect.not.stringContaining(copy)])
    expect(stderr).toContain(join(place.data, copy))
  })

  testInTurn(
    'over several versions that fails at the last of them changes nothing, and can be done later',
    async () => {
      const place = await earlierFarm(engine, 1)
      const old = await openAsItIs(place)
      await old.write((tx) => sql`create table kept_answer (in_the_way integer)`.execute(tx))
      const tables = () => old.read((snapshot) => existingTables(snapshot, engine))
      const before = await tables()
      await expect(openDatabase(place)).rejects.toThrow('kept_answer')
      expect(await tables()).toEqual(before)
      const versions = await old.read((snapshot) => snapshot.selectFrom('migration').select('version').execute())
      expect(versions).toEqual([{ version: 1 }])
      await old.write((tx) => sql`drop table kept_answer`.execute(tx))
      await old.close()
      await (await openDatabase(place)).close()
      expect(await examinedAt(place)).toEqual([])
    },
  )

  testInTurn('of a farm without tables that can be rebuilt comes with a backup and a restore', async () => {
    const place = await earlierFarm(engine)
    await inEarlierFarm(place, (database) =>
      database.write(async (tx) => {
        await tx
          .insertInto('log')
          .values({ ...earlierLog, uid: 0 })
          .execute()
        await tx
          .insertInto('identity')
          .values({ uuid: earlierLog.uuid, type: 'log', number: 1, uid: 0, draft: null, removed: null, ended: null })
          .execute()
        for (const table of tablesBefore.filter(canBeRebuilt)) await sql`drop table ${sql.ref(table)}`.execute(tx)
      }),
    )
    await letGoOf(place)
    const env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    const refused = await furrow(['serve', '--port', '0'], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^furrow: The tables edition, path, reference, .*`furrow restore FILE --replace`.*\n$/,
    )
    const examination = await furrow(['doctor'], { env })
    expect(examination.code).toBe(1)
    expect(examination.stdout).toContain('The table stay is not there.\n')
    expect(examination.stdout).toContain(
      'it is rebuilt by `furrow backup FILE` and then `furrow restore FILE --replace`',
    )
    const file = join(await emptyDirectory(), 'farm.tar.gz')
    expect(await furrow(['backup', file], { env })).toMatchObject({ code: 0 })
    expect(await furrow(['restore', file, '--replace'], { env })).toMatchObject({ code: 0 })
    expect(await examinedAt(place)).toEqual([
      expect.stringMatching(/^log 1 refers in log_owner to user 1, which is not there/),
      'log 1: the journal does not know it: restore the last backup from before the damage',
    ])
  })

  testInTurn('of a farm without an index that is not needed any more is done all the same', async () => {
    const place = await earlierFarm(engine, 3)
    await inEarlierFarm(place, (database) =>
      database.write(async (tx) => {
        for (const index of ['stay_by_timestamp', 'inventory_change_by_timestamp'])
          await sql`drop index ${sql.ref(index)}`.execute(tx)
      }),
    )
    expect(await examinedAt(place)).toEqual([])
  })

  testInTurn(
    'comes with the move of an export of an earlier release, whose records are looked up like all others',
    async () => {
      const place = await earlierFarm(engine)
      const directory = join(await emptyDirectory(), 'export')
      await inEarlierFarm(place, async (database) => {
        await database.write((tx) => tx.insertInto('log').values(earlierLog).execute())
        await exportTo(database, directory, quiet)
      })
      const target = await emptyPlace(engine)
      await restoreFarm(exportIn(directory), moveTo(target))
      const moved = await openDatabase(target)
      const found = await moved.read(async (snapshot) => ({
        references: await snapshot
          .selectFrom('reference')
          .innerJoin('path', 'path.id', 'reference.path')
          .select(['field', 'target_id'])
          .execute(),
        facets: await snapshot
          .selectFrom('facet')
          .innerJoin('path', 'path.id', 'facet.path')
          .select(['field', 'key'])
          .execute(),
        tallies: await snapshot.selectFrom('tally').select(['bundle', 'count']).execute(),
      }))
      await moved.close()
      expect(found).toEqual({
        references: [{ field: 'log_owner', target_id: 1 }],
        facets: [{ field: 'notes', key: 'from before' }],
        tallies: [{ bundle: 'farm_activity', count: 1 }],
      })
    },
  )

  testInTurn('comes with the restore of a backup of the very first version', async () => {
    const place = await earlierFarm(engine, 1)
    const archive = join(await emptyDirectory(), 'old.tar.gz')
    await inEarlierFarm(place, async (database) => {
      await database.write((tx) =>
        tx
          .insertInto('log')
          .values({ ...earlierLog, uid: 0, fields: '{}' })
          .execute(),
      )
      await backUp(database, archive, { clock: wallClock, report: quiet })
    })
    const target = await emptyPlace(engine)
    expect((await restoreFarm(archiveAt(archive), moveTo(target))).manifest).toMatchObject({
      schema: 1,
      rows: { log: 1 },
    })
    expect(await examinedAt(target)).toEqual([
      'log 1: the journal does not know it: restore the last backup from before the damage',
    ])
  })

  testInTurn('numbers the paths of an index in words, as if it had been written today', async () => {
    const place = await earlierFarm(engine, 3)
    const beginning = 'the same beginning '.repeat(7)
    const labels = [`${beginning}\u{1f33e}`, `${beginning}\uff01`, 'short', 'short', `${beginning}\u{1f33e}`]
    const quantity = labels.map((label) => ({ uuid: newUuid(0), label }))
    await inEarlierFarm(place, (database) =>
      database.write(async (tx) => {
        const fields = JSON.stringify({ quantity, data: "it's" })
        await tx
          .insertInto('log')
          .values({ ...earlierLog, uid: 0, fields })
          .execute()
        await sql`insert into reference values ('log', 99, 'asset', 'farm_asset', 5)`.execute(tx)
        for (const label of labels) {
          const [key, whole] = label === 'short' ? [label, null] : [label.slice(0, 120), label]
          await sql`insert into facet values ('log', 1, 'quantity.label', ${key}, ${whole})`.execute(tx)
        }
        await sql`insert into facet values ('log', 1, 'data', ${"it's"}, null)`.execute(tx)
      }),
    )
    await (await openDatabase(place)).close()
    expect(await examinedAt(place)).toEqual([
      expect.stringMatching(/^log 99 refers in asset to asset 5, which is not there/),
      expect.stringMatching(/^An orphan in reference: log 99 is not there, but is noted as referring to asset 5/),
      'log 1: the journal does not know it: restore the last backup from before the damage',
    ])
  })

  testInTurn('of a farm that was just born keeps no copy', async () => {
    const place = {
      data: await emptyDirectory(),
      database: engine === 'postgres' ? await postgresDatabase('template0') : null,
    }
    await (await openDatabase(place)).close()
    expect(await copiesIn(place)).toEqual([])
  })
})

describe.each(engines)('an upgrade on %s of a farm that is not whole', (engine) => {
  let place: StoragePlace
  let old: Database

  beforeAll(async () => {
    place = await earlierFarm(engine)
    old = await openAsItIs(place)
  })
  afterAll(() => old.close())

  const rename = (from: string, to: string) =>
    old.write((tx) => sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(tx))

  const state = () =>
    old.read(async (snapshot) => [await existingTables(snapshot, engine), await schemaVersion(snapshot, { engine })])

  test.each(shareOf(engine)(tablesBefore))(
    'is refused in words without the table %s, and changes nothing',
    async (table) => {
      await rename(table, 'elsewhere')
      const before = await state()
      const opening = openDatabase(place)
      await expect(opening).rejects.toThrow(
        `The table ${table} is not there, so that this release cannot bring the tables of the farm up to date. ` +
          (canBeRebuilt(table)
            ? 'Run `furrow backup FILE` and then `furrow restore FILE --replace`, which rebuilds what is missing. '
            : 'Restore the last backup from before the damage with `furrow restore FILE --replace`, which keeps this farm aside. ') +
          'Nothing was changed.',
      )
      await expect(opening).rejects.toMatchObject({ name: 'CannotOpen' })
      expect(await state()).toEqual(before)
      expect(await copiesIn(place)).toEqual([])
      await rename('elsewhere', table)
    },
  )
})

test('an upgrade that cannot keep a copy first changes nothing and says why', async () => {
  const { database } = await earlierFarm('postgres')
  const file = join(await emptyDirectory(), 'a-file')
  await writeFile(file, '')
  await expect(openDatabase({ data: file, database })).rejects.toThrow('The farm was not changed')
  const server = await openPostgres(database ?? '')
  const versions = await server.read((snapshot) => snapshot.selectFrom('migration').select('version').execute())
  await server.close()
  expect(versions).toHaveLength(firstSteps)
})

test('an upgrade that finds no room for a copy changes nothing, says why and leaves nothing behind', async () => {
  const place = await earlierFarm('sqlite')
  await inEarlierFarm(place, (database) =>
    database.write(async (tx) => {
      const value = 'x'.repeat(400_000)
      await tx.insertInto('setting').values({ name: 'long', value }).execute()
    }),
  )
  checkpoint(place.data)
  const line = `ulimit -f 700; exec '${process.execPath}' '${await builtMain()}' config show --data '${place.data}'`
  const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/could not keep a copy of it .* first: .*\. The farm was not changed\.\n$/),
  ])
  expect((await readdir(place.data)).filter((name) => !name.startsWith('farm.sqlite'))).toEqual([])
  const versions = onPlainFile(join(place.data, 'farm.sqlite'), (file) => file.list('max(version)', 'migration'))
  expect(versions).toEqual([firstSteps])
})
