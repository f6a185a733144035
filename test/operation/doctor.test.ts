import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportTo } from '../../src/storage/backup/back-up.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'
import { checkDataDirectory, isDamage } from '../../src/storage/doctor/engine-soundness.ts'
import type { DoctorFinding } from '../../src/storage/doctor/finding.ts'
import { toTarget, toValue } from '../../src/storage/records/path.ts'
import { tableNames } from '../../src/storage/sql/table-fates.ts'
import { furrow } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOf } from '../harness/share-of-engine.ts'
import { png } from '../records/sample-files.ts'
import { examined, examinedAt } from './examined.ts'
import { growFarm } from './grown-farm.ts'
import { importInto, letGoOf, quiet } from './moves.ts'

const journalSays = (tx: Transaction, after: string) =>
  tx.updateTable('journal').set({ after }).where('record_type', '=', 'log').where('record_id', '=', 1).execute()

const toMovementArea = toTarget('log', { field: 'movement.area', target: 'term' })
const toAsset = toTarget('log', { field: 'asset', target: 'asset' })
const toDescription = toValue('asset', 'description')

const withoutTrigger = { sqlite: 'drop trigger asset_added', postgres: 'drop trigger tally_asset_insert on asset' }

/** Each is done to a healthy farm of its own; the doctor must name what was done. */
const damages: Readonly<Record<string, readonly [damage: (tx: Transaction) => Promise<unknown>, finding: RegExp]>> = {
  'a reference that was forgotten': [
    (tx) => tx.deleteFrom('reference').where('path', '=', toMovementArea).where('source_id', '=', 1).execute(),
    /^What it refers to is not kept as log 1 says/,
  ],
  'a reference to a record that is gone': [
    (tx) => tx.deleteFrom('term').where('bundle', '=', 'farm_areas').execute(),
    /^log 1 refers in movement\.area to term 9, which is not there: change what refers, or restore/,
  ],
  'a reference from a record that never was': [
    (tx) => tx.insertInto('reference').values({ source_id: 99, path: toAsset, target_id: 2 }).execute(),
    /^An orphan in reference: log 99 is not there.*asset 2: it is rebuilt by `furrow backup/,
  ],
  'a value that a record can no longer be found by': [
    (tx) =>
      tx
        .updateTable('facet')
        .set({ key: 'barley' })
        .where('record_id', '=', 2)
        .where('path', '=', toValue('log', 'notes'))
        .execute(),
    /^What it can be found by is not kept as log 2 says/,
  ],
  'a value of a record that never was': [
    (tx) =>
      tx
        .insertInto('facet')
        .values({ record_id: 77, path: toDescription, key: 'x', nth: 0, whole_key: null })
        .execute(),
    /^An orphan in facet: asset 77/,
  ],
  'a movement that was forgotten': [
    (tx) => tx.deleteFrom('stay').where('log_id', '=', 2).where('kind', '=', 'movement').execute(),
    /^Where its assets went is not kept as log 2 says/,
  ],
  'a stay that does not end': [
    (tx) =>
      tx
        .updateTable('stay')
        .set({ until: 4_000_000_000 })
        .where('log_id', '=', 1)
        .where('kind', '=', 'movement')
        .execute(),
    /^The movement of asset \d by log 1 does not end when the next begins/,
  ],
  'a stay of no log': [
    (tx) =>
      tx
        .insertInto('stay')
        .values({
          kind: 'movement',
          thing_type: 'asset',
          thing_id: 2,
          timestamp: 1,
          log_id: 88,
          place_type: 'term',
          place_id: 9,
          until: 1_600_000_000,
        })
        .execute(),
    /^An orphan in stay: log 88/,
  ],
  'an inventory that was changed behind the logs': [
    (tx) => tx.updateTable('inventory_change').set({ value: '250' }).where('log_id', '=', 1).execute(),
    /^What it changed in the inventory is not kept as log 1 says/,
  ],
  'an inventory change of no log': [
    (tx) =>
      tx
        .insertInto('inventory_change')
        .values({
          thing_type: 'asset',
          thing_id: 2,
          measure: 'count',
          unit_id: 0,
          timestamp: 1,
          log_id: 66,
          position: 0,
          value: '1',
          is_reset: 0,
        })
        .execute(),
    /^An orphan in inventory_change: log 66/,
  ],
  'a photo whose bytes have changed': [
    (tx) =>
      tx
        .updateTable('blob_chunk')
        .set({ bytes: randomBytes(68) })
        .where('position', '=', 1)
        .execute(),
    /^The bytes of file \d+ \(farm_activity_file_\d+\.txt\) are not those that were recorded/,
  ],
  'a photo whose bytes are gone': [
    (tx) => tx.deleteFrom('blob').execute(),
    /^The bytes of file 1 \(.*\) are not there/,
  ],
  'a file that belongs to no record': [
    (tx) =>
      tx
        .insertInto('file')
        .columns(['uuid', 'name', 'mime', 'size', 'sha256', 'uid', 'created'])
        .expression((from) =>
          from
            .selectFrom('file')
            .select(({ lit, val }) => [
              val('4711').as('uuid'),
              'name',
              'mime',
              'size',
              'sha256',
              'uid',
              lit(1).as('created'),
            ])
            .limit(1),
        )
        .execute(),
    /^File \d+ \(.*\) belongs to no record/,
  ],
  'bytes that belong to no file': [
    (tx) => tx.insertInto('blob').values({ sha256: 'ab', size: 0 }).execute(),
    /^The bytes ab belong to no file/,
  ],
  'a record that was changed behind the journal': [
    (tx) => tx.updateTable('log').set({ timestamp: 5 }).where('id', '=', 1).execute(),
    /^log 1: it is not what the journal says it is/,
  ],
  'a record that is gone without a removal': [
    (tx) => tx.deleteFrom('log').where('id', '=', 3).execute(),
    /^log 3: it is not there, though the journal does not say that it was removed/,
  ],
  'a journal without its first entry': [
    (tx) => tx.deleteFrom('journal').where('record_type', '=', 'asset').where('verb', '=', 'create').execute(),
    /^asset 2: its journal does not begin with its creation/,
  ],
  'a record that the journal does not know': [
    (tx) => tx.deleteFrom('journal').where('record_type', '=', 'log').where('record_id', '=', 2).execute(),
    /^log 2: the journal does not know it/,
  ],
  'an author who is gone': [
    (tx) => tx.deleteFrom('account').execute(),
    /^log 1 was written by account \d+, which is not there/,
  ],
  'an author of the journal who is gone': [
    (tx) => tx.updateTable('journal').set({ uid: 77 }).where('record_type', '=', 'log').execute(),
    /^The journal names account 77, which is not there/,
  ],
  'a file of somebody who is gone': [
    (tx) => tx.updateTable('file').set({ uid: 77 }).where('id', '=', 1).execute(),
    /^File 1 \(.*\) is of account 77, which is not there/,
  ],
  'fields that are no JSON': [
    (tx) => tx.updateTable('log').set({ fields: '{"notes":' }).where('id', '=', 1).execute(),
    /^log 1: its fields cannot be read: restore the last backup/,
  ],
  'fields with a value of another kind': [
    (tx) => tx.updateTable('log').set({ fields: '{"quantity":{"a":1},"notes":7}' }).where('id', '=', 1).execute(),
    /^log 1: its fields cannot be read: restore the last backup/,
  ],
  'a journal that is no JSON': [
    (tx) => journalSays(tx, 'nonsense'),
    /^log 1: its journal cannot be read at revision 1: restore the last backup/,
  ],
  'a journal that says something else than a record': [
    (tx) => journalSays(tx, '{}'),
    /^log 1: its journal cannot be read at revision 1/,
  ],
  'a name that a record can no longer be found by': [
    (tx) => tx.updateTable('asset').set({ name_key: 'zzz' }).where('id', '=', 2).execute(),
    /^asset 2: it cannot be found by its name: save it again, or restore/,
  ],
  'a vocabulary that is gone': [
    (tx) => tx.deleteFrom('vocabulary').where('machine_name', '=', 'farm_areas').execute(),
    /^term \d+ is of the vocabulary farm_areas, which is not there/,
  ],
  'a reference along no path': [
    (tx) => tx.insertInto('reference').values({ source_id: 5, path: 7, target_id: 2 }).execute(),
    /^An orphan in reference: record 5 is noted under 7, which is no path to any record: it is rebuilt by/,
  ],
  'a value along a path that leads elsewhere': [
    (tx) => tx.insertInto('facet').values({ record_id: 5, path: toAsset, key: 'x', nth: 0, whole_key: null }).execute(),
    /^An orphan in facet: record 5 is noted under \d+, which is no path to any value: it is rebuilt by/,
  ],
  'a path whose words are others': [
    (tx) => tx.updateTable('path').set({ field: 'nonsense' }).where('id', '=', toAsset).execute(),
    /^\d+ is noted as nonsense of log \(to asset\), which has another number: it is rebuilt by/,
  ],
  'a table that is gone': [
    (tx) => sql`drop table file`.execute(tx),
    /^The table file is not there: restore the last backup/,
  ],
  'an index that is gone': [
    (tx) => sql`drop index log_by_timestamp_id`.execute(tx),
    /^The index log_by_timestamp_id of log is not there: it is rebuilt by `furrow backup FILE`/,
  ],
  'a trigger that is gone': [
    (tx) => sql.raw(withoutTrigger[tx.engine]).execute(tx),
    /^The trigger (asset_added|tally_asset_insert) of asset is not there: it is rebuilt by `furrow backup FILE`/,
  ],
  'a count that is wrong': [
    (tx) => tx.updateTable('tally').set({ count: 7 }).where('record_table', '=', 'asset').execute(),
    /^There are \d of asset (animal|group) kept, but \d+ are counted/,
  ],
  'a record of no installed module': [
    (tx) => tx.updateTable('asset').set({ bundle: 'beehive' }).where('id', '=', 2).execute(),
    /^No installed module knows beehive, which 1 record has: give the module/,
  ],
}

/** Done to a farm in which something was removed, restored and ended. */
const trashDamages: typeof damages = {
  'a record whose UUID is not noted': [
    (tx) => tx.deleteFrom('identity').where('type', '=', 'log').where('removed', 'is', null).execute(),
    /^log \d+: its UUID [\da-f-]{36} is not noted as its own: restore the last backup/,
  ],
  'a record whose UUID is noted as that of another': [
    (tx) => tx.updateTable('identity').set({ number: 99 }).where('type', '=', 'asset').execute(),
    /^The UUID [\da-f-]{36} is noted as that of asset 99, which is not there/,
  ],
  'a file whose UUID is not noted': [
    (tx) => tx.deleteFrom('identity').where('type', '=', 'file').execute(),
    /^file \d+: its UUID [\da-f-]{36} is not noted as its own/,
  ],
  'a record that is there and noted as removed': [
    (tx) => tx.updateTable('identity').set({ removed: 5 }).where('type', '=', 'asset').execute(),
    /^asset \d+: it is noted as removed, though the journal does not say so/,
  ],
  'a removed record that is not noted as removed': [
    (tx) => tx.updateTable('identity').set({ removed: null }).where('removed', 'is not', null).execute(),
    /^log \d+: it was removed, but is not noted as removed/,
  ],
  'an ended record of which something is still told': [
    (tx) => tx.updateTable('identity').set({ ended: 5 }).where('removed', 'is not', null).execute(),
    /^log \d+: it ended for good, but the journal still tells what it was/,
  ],
  'a record in the trash of which nothing is told': [
    async (tx) => {
      const { number } = await tx
        .selectFrom('identity')
        .select('number')
        .where('removed', 'is not', null)
        .where('ended', 'is', null)
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('journal')
        .set({ after: null })
        .where('record_type', '=', 'log')
        .where('record_id', '=', number)
        .execute()
    },
    /^log \d+: its journal cannot be read at revision 1/,
  ],
  'a return without a removal': [
    (tx) => tx.updateTable('journal').set({ verb: 'restore' }).where('verb', '=', 'update').execute(),
    /^\w+ \d+: its journal has a return at revision 2 without a removal/,
  ],
  'a change after a removal': [
    (tx) => tx.updateTable('journal').set({ verb: 'update' }).where('verb', '=', 'restore').execute(),
    /^log \d+: its journal goes on after its removal/,
  ],
  'a revision that is another': [
    (tx) => tx.updateTable('journal').set({ revision: 7 }).where('verb', '=', 'restore').execute(),
    /^log \d+: its journal has a gap before revision 7/,
  ],
  'a set that is gone': [
    (tx) => tx.deleteFrom('change_set').execute(),
    /^The journal names the set [\da-f-]{36} at \d+, which is not there/,
  ],
  'a file of a record that is noted as that of none': [
    (tx) => tx.updateTable('file').set({ unused_since: 5 }).execute(),
    /^File \d+ \(.*\) belongs to a record, though it is noted as one that none names/,
  ],
  'a file in the trash that is noted as used': [
    (tx) => tx.updateTable('file').set({ unused_since: null }).execute(),
    /^File \d+ \(.*\) belongs to no record/,
  ],
}

const undone = 'nothing of this was meant'

/** What the doctor says of a farm that was damaged for a moment. */
async function examinedWith(damage: (tx: Transaction) => Promise<unknown>, database: Database): Promise<string[]> {
  let lines: string[] = []
  const damaged = database.write(async (tx) => {
    await damage(tx)
    lines = await examined({ ...database, read: (work) => work(tx) })
    throw new Error(undone)
  })
  await expect(damaged).rejects.toThrow(undone)
  return lines
}

describe.each(engines)('the doctor on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    const farm = await openFarm({ engine })
    await growFarm(farm)
    database = farm.installation.database
  })

  test('finds nothing in a healthy farm, nor in its copy', async () => {
    expect(await examined(database)).toEqual([])
    const place = await emptyPlace(engine)
    const copy = join(await emptyDirectory(), 'copy')
    await exportTo(database, copy, quiet)
    await importInto(place, copy)
    expect(await examinedAt(place)).toEqual([])
  })

  test.each(shareOf(engine)(Object.entries(damages)))('finds %s', async (_, [damage, finding]) => {
    const lines = await examinedWith(damage, database)
    expect(
      lines.filter((line) => finding.test(line)),
      lines.join('\n'),
    ).not.toEqual([])
  })
})

test.each(engines)('the doctor on %s tells of a circle of groups that a late log has made', async (engine) => {
  const farm = await openFarm({ engine })
  const client = await farm.login()
  const group = (name: string) => client.create('farm_asset', { name, type: 'group' })
  const [herd, ewes] = [await group('Herd'), await group('Ewes')]
  const joins = (asset: string, to: string, timestamp: string) =>
    client.create('log', {
      name: 'Join',
      type: 'farm_activity',
      timestamp,
      done: '1',
      asset: [{ id: asset }],
      membership: { group: [{ id: to }] },
    })
  const { database } = farm.installation
  const last = await joins(ewes, herd, '2000')
  expect(await examined(database)).toEqual([])
  await joins(herd, ewes, '1000')
  expect(await examined(database)).toEqual([
    `Group ${ewes} is a member of itself from 1970-01-01T00:33:20.000Z on, over group ${herd} (log ${last}): ` +
      'change the time or the groups of one of the logs that made these memberships',
  ])
})

describe.each(engines)('the doctor and the trash on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    const farm = await openFarm({ engine })
    await growFarm(farm)
    database = farm.installation.database
    const client = await farm.login()
    const body = { name: 'Removed', type: 'farm_activity', timestamp: '1', images: [png('trash')] }
    const removed = async () => {
      const id = await client.create('log', body)
      await client.put(`/log/${id}`, { notes: 'Changed' })
      await client.delete(`/log/${id}`)
      return { id, uuid: (await client.read('/trash.json?limit=1')).list[0].uuid }
    }
    const [ended, restored] = [await removed(), await removed()]
    await removed()
    expect((await client.delete(`/trash/${ended.uuid}`)).status).toBe(200)
    for (const query of ['', '?with=referents']) {
      expect((await client.send('POST', `/trash/${restored.uuid}/restore${query}`)).status).toBe(200)
      if (query === '') await client.delete(`/log/${restored.id}`)
    }
    await client.put(`/log/${restored.id}`, { images: [], notes: 'Again' })
  })

  test('finds nothing in what was removed, came back, lost its photo or ended for good, nor in its copy', async () => {
    expect(await examined(database)).toEqual([])
    const copy = join(await emptyDirectory(), 'copy')
    await exportTo(database, copy, quiet)
    for (const other of engines) {
      const place = await emptyPlace(other)
      await importInto(place, copy)
      expect(await examinedAt(place)).toEqual([])
    }
  })

  test.each(shareOf(engine)(Object.entries(trashDamages)))('finds %s', async (_, [damage, finding]) => {
    const lines = await examinedWith(damage, database)
    expect(
      lines.filter((line) => finding.test(line)),
      lines.join('\n'),
    ).not.toEqual([])
  })
})

describe('the doctor on PostgreSQL', () => {
  interface Constraint {
    readonly of: string
    readonly name: string
    readonly what: string
  }

  const constraints = sql<Constraint>`select t.relname as "of", c.conname as name,
      replace(replace(replace(pg_get_constraintdef(c.oid), '"', ''), 'PRIMARY KEY', 'primary key'), 'UNIQUE', 'unique key') as what
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.connamespace = current_schema()::regnamespace and c.contype in ('p', 'u')`

  const without = ({ of, name }: Constraint, tx: Transaction) =>
    sql`alter table ${sql.ref(of)} drop constraint ${sql.ref(name)}`.execute(tx)

  test('finds every key that is gone, and nothing else', async () => {
    const { installation } = await openFarm({ engine: 'postgres' })
    const { rows: all } = await installation.database.write((tx) => constraints.execute(tx))
    expect(new Set(all.map(({ of }) => of))).toEqual(new Set(tableNames))
    for (const key of all) {
      const lines = await examinedWith((tx) => without(key, tx), installation.database)
      expect(lines).toEqual([
        `The ${key.what} of ${key.of} is not there: it is rebuilt by \`furrow backup FILE\` and then \`furrow restore FILE --replace\``,
      ])
    }
  })

  test('leads to an earlier backup where rows were taken twice since the key is gone', async () => {
    const { installation } = await openFarm({ engine: 'postgres' })
    const twice = async (tx: Transaction) => {
      await sql`alter table setting drop constraint setting_pkey`.execute(tx)
      await sql`insert into setting values ('name', 'One farm'), ('name', 'Another')`.execute(tx)
    }
    expect(await examinedWith(twice, installation.database)).toEqual([
      'The primary key (name) of setting is not there: restore the last backup from before the damage',
    ])
  })
})

describe('the doctor on SQLite', () => {
  test('finds a key that is gone, as it is where somebody has made a table anew', async () => {
    const { installation } = await openFarm({ engine: 'sqlite' })
    const anew = async (tx: Transaction) => {
      await sql`drop table vocabulary`.execute(tx)
      await sql`create table vocabulary (vid integer primary key autoincrement, machine_name text not null)`.execute(tx)
    }
    expect(await examinedWith(anew, installation.database)).toContain(
      'The unique key (machine_name) of vocabulary is not there: it is rebuilt by `furrow backup FILE` and then `furrow restore FILE --replace`',
    )
  })

  test('finds a page that was overwritten, and a file that is no database', async () => {
    const place = await emptyPlace('sqlite')
    const farm = await openFarm({ place })
    await growFarm(farm)
    await farm.close()
    const path = join(place.data, 'farm.sqlite')
    await letGoOf(place)
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    for (let page = 4; page * 4096 < size; page += 3) await file.write(Buffer.alloc(200, 0x5a), 0, 200, page * 4096)
    await file.close()
    const damaged = await furrow(['doctor', '--data', place.data])
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toMatch(/^The database itself:\n {2}The database .*(is damaged|cannot be)/)
    expect(damaged.stdout).toContain('To mend: restore the last backup')
    await writeFile(path, 'not a database at all')
    const nothing = await furrow(['doctor', '--data', place.data])
    expect(nothing.code).toBe(1)
    expect(nothing.stdout + nothing.stderr).not.toMatch(/\n\s+at /)
  })

  test('finds a data directory that others may look into, one without room, and what was left behind', async () => {
    const directory = await emptyDirectory()
    const lines: string[] = []
    const found = ({ what, mend }: DoctorFinding) => void lines.push(`${what}: ${mend}`)
    await checkDataDirectory(directory, 0, found)
    expect(lines).toEqual([])
    await chmod(directory, 0o750)
    await mkdir(join(directory, 'restoring-1'))
    await checkDataDirectory(directory, 2 ** 60, found)
    expect(lines[0]).toMatch(/may look into .* 750\): chmod 700/)
    expect(lines[1]).toMatch(/^Only \d+ MiB are free .*: make room/)
    expect(lines[2]).toMatch(/restoring-1 was left behind/)
  })

  test('takes what SQLite says of a damaged file for damage, also where it comes without a code', () => {
    const malformed = Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR' })
    expect(isDamage(malformed)).toBe(true)
    expect(isDamage(new Error('no such table: tally'))).toBe(false)
  })

  test('goes on to tell what it found where the database cannot be read to its end', async () => {
    const damage = Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR' })
    const broken: Database = {
      engine: 'sqlite',
      read: () => Promise.reject(damage),
      ask: () => Promise.reject(damage),
      write: () => Promise.reject(new Error('not meant to be written to')),
      dryRun: () => Promise.reject(new Error('not meant to be written to')),
      close: async () => {},
    }
    expect(await examined(broken)).toEqual([
      'The database cannot be read to its end: database disk image is malformed: try `furrow backup FILE` first: if it succeeds, ' +
        '`furrow restore FILE --replace` brings back all that is in it, and `furrow doctor` then tells whether that is everything; ' +
        'else restore the last backup from before the damage',
    ])
  })

  test('sums up much damage: a few examples, a count, and each advice once', async () => {
    const place = await emptyPlace('sqlite')
    const farm = await openFarm({ place })
    await growFarm(farm)
    const numbers = Array.from({ length: 300 }, (_, nth) => nth + 1000)
    await farm.installation.database.write(async (tx) => {
      for (const number of numbers) {
        await tx.insertInto('reference').values({ source_id: 1, path: toAsset, target_id: number }).execute()
        await tx.insertInto('reference').values({ source_id: number, path: toAsset, target_id: 2 }).execute()
        for (const nth of [0, 1]) {
          const row = { record_id: number, path: toDescription, key: `${nth}`, nth, whole_key: null }
          await tx.insertInto('facet').values(row).execute()
        }
      }
      await tx.deleteFrom('journal').execute()
    })
    await farm.close()
    const { code, stdout, stderr } = await furrow(['doctor', '--data', place.data])
    expect(code).toBe(1)
    const lines = stdout.trimEnd().split('\n')
    for (const line of lines.filter((one) => one !== '')) {
      const isHeading = /^[^ ].*:$/.test(line)
      expect(isHeading || lines.filter((other) => other === line).length === 1, line).toBe(true)
    }
    expect(lines.filter((line) => /To mend/.test(line))).toHaveLength(3)
    expect(lines).toContain('  And 295 more references to what is not there.')
    expect(lines).toContain('  And 295 more orphans in reference.')
    expect(lines).toContain('  And 295 more orphans in facet.')
    expect(stdout).toMatch(/And \d+ more records of which the journal tells something else\./)
    expect(lines.length).toBeLessThan(50)
    expect(Number(/(\d+) things are not as they should be/.exec(stderr)?.[1])).toBeGreaterThan(900)
  })

  test('answers 0 and a word of comfort where nothing is wrong, and refuses a place without a farm', async () => {
    const place = await emptyPlace('sqlite')
    expect(await furrow(['doctor', '--data', place.data])).toMatchObject({ code: 1, stdout: '' })
    await (await openFarm({ place })).close()
    expect(await furrow(['doctor', '--data', place.data])).toMatchObject({ code: 0, stderr: '' })
  })
})
