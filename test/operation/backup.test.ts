import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { archiveAt, writeArchive } from '../../src/storage/backup/archive.ts'
import { backUp } from '../../src/storage/backup/back-up.ts'
import { verify } from '../../src/storage/backup/verification.ts'
import { lockDataDirectory } from '../../src/storage/disk/data-directory.ts'
import type { StoragePlace } from '../../src/storage/open.ts'
import type { Client } from '../harness/client.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { inTurnsOn } from '../harness/share-of-engine.ts'
import { examinedAt } from './examined.ts'
import { growFarm } from './grown-farm.ts'
import { backedUp, exported, filesOf, importInto, letGoOf, moveTo, quiet } from './moves.ts'

describe.each(engines)('a backup of %s', (engine) => {
  const testInTurn = inTurnsOn(engine)
  let farm: FarmUnderTest
  let place: StoragePlace
  let archive: string

  beforeAll(async () => {
    place = await emptyPlace(engine)
    farm = await openFarm({ place })
    await growFarm(farm)
    archive = join(await emptyDirectory(), 'farm.tar.gz')
    await backUp(farm.installation.database, archive, { clock: wallClock, report: quiet })
  })
  afterAll(() => farm.close())

  testInTurn('is verified, says what it holds, and nobody else may read it', async () => {
    const manifest = await verify(archiveAt(archive), quiet)
    expect(manifest.rows).toMatchObject({ log: 3, asset: 3, account: 1 })
    expect(manifest.blobs.count).toBe(4)
    expect((await stat(archive)).mode & 0o077).toBe(0)
  })

  testInTurn('does not overwrite a file that is there', async () => {
    const before = await readFile(archive)
    const again = backUp(farm.installation.database, archive, { clock: wallClock, report: quiet })
    await expect(again).rejects.toThrow('is there already')
    expect(await readFile(archive)).toEqual(before)
  })

  testInTurn('restored into an empty place is the farm it was, and the doctor finds nothing', async () => {
    const target = await emptyPlace(engine)
    const { aside } = await restoreFarm(archiveAt(archive), moveTo(target))
    expect(aside).toBeNull()
    expect(await examinedAt(target)).toEqual([])
    const copy = await openFarm({ place: target })
    const client = await copy.login('manager')
    const emma = async (reader: Client, { base }: FarmUnderTest) =>
      JSON.stringify(await reader.read('/farm_asset/3.json')).replaceAll(base, '')
    const after = await emma(client, copy)
    expect(after).toContain('Nördliche Wiese')
    expect(after).toBe(await emma(await farm.login('manager'), farm))
    expect((await client.get(`/file/1.json`)).status).toBe(200)
  })

  testInTurn('unpacked is an export', async () => {
    const directory = await emptyDirectory()
    execFileSync('tar', ['xzf', archive, '-C', directory])
    const target = await emptyPlace(engine)
    await importInto(target, directory)
    expect(await filesOf(await exported(target))).toEqual(await filesOf(directory))
  })

  testInTurn('cut short anywhere is refused, and nothing is touched', async () => {
    const { size } = await stat(archive)
    const whole = await readFile(archive)
    const target = await emptyPlace(engine)
    const cut = join(await emptyDirectory(), 'cut.tar.gz')
    for (const length of [0, 1, 50, Math.floor(size / 2), size - 200, size - 1]) {
      await writeFile(cut, whole)
      await truncate(cut, length)
      await expect(restoreFarm(archiveAt(cut), moveTo(target)), `${length} bytes`).rejects.toThrow('cannot be trusted')
    }
    expect(await readdir(target.data)).toEqual([])
  })

  testInTurn('with any one bit changed is refused', async () => {
    const whole = await readFile(archive)
    const bent = join(await emptyDirectory(), 'bent.tar.gz')
    const places = [0, 3, 4, 8, 9, 10, whole.length - 1, whole.length - 9, whole.length - 60, whole.length - 112]
    for (let step = 0; step < 40; step += 1) places.push(Math.floor((whole.length * step) / 40))
    for (const at of places) {
      const copy = Buffer.from(whole)
      copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8))
      await writeFile(bent, copy)
      await expect(verify(archiveAt(bent), quiet), `byte ${at}`).rejects.toThrow('cannot be trusted')
    }
  })

  testInTurn('of any size is refused in words when it is damaged in the middle', async () => {
    const noise = createHash('sha512').update('noise')
    const large = Array.from({ length: 20_000 }, (_, n) => noise.copy().update(String(n)).digest())
    const path = join(await emptyDirectory(), 'large.tar.gz')
    const entry = { name: 'blobs/noise', size: large.length * 64, bytes: large }
    const entries = async function* () {
      yield entry
    }
    await writeArchive(path, entries(), 0)
    const bytes = await readFile(path)
    for (const part of [0.2, 0.5, 0.9]) {
      const bent = Buffer.from(bytes)
      bent[Math.floor(bytes.length * part)] = (bent[Math.floor(bytes.length * part)] ?? 0) ^ 4
      await writeFile(path, bent)
      await expect(verify(archiveAt(path), quiet), `at ${part}`).rejects.toThrow('its seal is broken')
    }
  })

  testInTurn('does not overwrite a farm unless told to, and then keeps the old one whole', async () => {
    const target = await emptyPlace(engine)
    const other = await openFarm({ place: target })
    await (await other.login('manager')).create('log', { name: 'Ours', type: 'farm_activity', timestamp: 7 })
    await other.close()
    await letGoOf(target)
    const before = await filesOf(await exported(target))
    await letGoOf(target)
    await expect(restoreFarm(archiveAt(archive), moveTo(target))).rejects.toThrow('There is a farm')
    expect(await filesOf(await exported(target))).toEqual(before)
    await letGoOf(target)
    const { aside } = await restoreFarm(archiveAt(archive), moveTo(target, { ifOccupied: 'keep-aside' }))
    expect(await examinedAt(target)).toEqual([])
    expect((await filesOf(await exported(target))).get('/log/000001.jsonl')).toContain('Out again')
    expect(await filesOf(await exported(await keptIn(target, aside ?? '')))).toEqual(before)
  })
})

/** The place that a farm was kept in when another took its own. */
async function keptIn({ data, database }: StoragePlace, aside: string): Promise<StoragePlace> {
  if (database === null) {
    const place = await emptyPlace('sqlite')
    await copyFile(aside, join(place.data, 'farm.sqlite'))
    return place
  }
  const [, schema = ''] = /^the schema (\w+) /.exec(aside) ?? []
  return { data, database: `${database}?options=${encodeURIComponent(`-c search_path=${schema}`)}` }
}

describe('a restore on SQLite', () => {
  test('is refused beside a server, and leaves nothing behind', async () => {
    const place = await emptyPlace('sqlite')
    const farm = await openFarm({ place })
    await growFarm(farm)
    await farm.close()
    const archive = await backedUp(place)
    const lock = await lockDataDirectory(place.data)
    const farms = async () => (await readdir(place.data)).filter((name) => /^farm.*sqlite$|^restoring/.test(name))
    const before = await farms()
    const restoring = restoreFarm(archiveAt(archive), moveTo(place, { ifOccupied: 'keep-aside' }))
    await expect(restoring).rejects.toThrow('Another server')
    lock.release()
    expect(await farms()).toEqual(before)
  })

  test('puts a farm right that cannot be read any more, and keeps what is left of it', async () => {
    const place = await emptyPlace('sqlite')
    const farm = await openFarm({ place })
    await growFarm(farm)
    await farm.close()
    const archive = await backedUp(place)
    await letGoOf(place)
    const path = join(place.data, 'farm.sqlite')
    for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true })
    await writeFile(path, 'nothing but rubbish')
    await expect(restoreFarm(archiveAt(archive), moveTo(place))).rejects.toThrow('There is a farm')
    const { aside } = await restoreFarm(archiveAt(archive), moveTo(place, { ifOccupied: 'keep-aside' }))
    expect(await readFile(aside ?? '', 'utf8')).toBe('nothing but rubbish')
    expect(await examinedAt(place)).toEqual([])
  })
})

test('a restore on PostgreSQL is refused beside a server, and leaves its farm alone', async () => {
  const farm = await openFarm({ engine: 'postgres' })
  await growFarm(farm)
  const archive = join(await emptyDirectory(), 'farm.tar.gz')
  await backUp(farm.installation.database, archive, { clock: wallClock, report: quiet })
  const restoring = restoreFarm(archiveAt(archive), moveTo(farm.installation.settings, { ifOccupied: 'keep-aside' }))
  await expect(restoring).rejects.toThrow('Stop it first')
  expect((await (await farm.login('viewer')).read('/log.json')).list).toHaveLength(3)
})

test('a backup of a place where nothing may be written says so in one sentence', async () => {
  const place = await emptyPlace('sqlite')
  const farm = await openFarm({ place })
  const file = join(await emptyDirectory(), 'missing', 'farm.tar.gz')
  const attempt = backUp(farm.installation.database, file, { clock: wallClock, report: quiet })
  await expect(attempt).rejects.toMatchObject({ name: 'Refusal', refusal: 'not-found' })
})

test.each(['not JSON', '{"quantity":{"a":1},"notes":7}'])(
  'a backup with fields of which nothing can be made is refused by the record: %s',
  async (fields) => {
    const place = await emptyPlace('sqlite')
    const farm = await openFarm({ place })
    await growFarm(farm)
    await farm.installation.database.write((tx) => tx.updateTable('log').set({ fields }).where('id', '=', 1).execute())
    const archive = join(await emptyDirectory(), 'farm.tar.gz')
    await backUp(farm.installation.database, archive, { clock: wallClock, report: quiet })
    const attempt = restoreFarm(archiveAt(archive), moveTo(await emptyPlace('sqlite')))
    await expect(attempt).rejects.toMatchObject({
      refusal: 'invalid-content',
      message: expect.stringMatching(/^The fields of log 1 cannot be read: .* Take an earlier backup/),
    })
  },
)
