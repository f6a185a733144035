import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import type { StoragePlace } from '../../src/storage/open.ts'
import { builtMain, furrow } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { growFarm } from './grown-farm.ts'
import { backedUp, exported, filesOf, letGoOf } from './moves.ts'

const environmentOf = ({ data, database }: StoragePlace) => ({ FURROW_DATA: data, FURROW_DATABASE: database ?? '' })

async function started(args: readonly string[], place: StoragePlace): Promise<ChildProcess> {
  const env = { ...process.env, ...environmentOf(place) }
  const child = spawn(process.execPath, [await builtMain(), ...args], { env, stdio: 'ignore' })
  atEndOfFile(() => void child.kill('SIGKILL'))
  return child
}

describe.each(atLeastOn('postgres'))('on %s', (engine) => {
  test('a restore that is killed at any moment leaves the old farm or the new one, whole', {
    timeout: 240_000,
  }, async () => {
    const place = await emptyPlace(engine)
    const old = await openFarm({ place })
    await growFarm(old)
    await old.close()
    const source = await openFarm({ engine })
    const client = await source.login('manager')
    for (let number = 0; number < 12; number += 1) {
      const files = [`data:application/octet-stream;base64,${randomBytes(1_500_000).toString('base64')}`]
      await client.create('log', { name: `New ${number}`, type: 'farm_activity', timestamp: number, files })
    }
    await source.close()
    const archive = await backedUp(source.installation.settings)
    await letGoOf(place)
    const before = await filesOf(await exported(place))
    const after = await filesOf(await unpacked(archive, engine))
    await letGoOf(place)
    const outcomes = new Set<string>()
    for (const milliseconds of rounds({ short: [300], long: [300, 700, 1100, 1500] })) {
      const restoring = await started(['restore', archive, '--replace'], place)
      const ended = once(restoring, 'exit')
      await Promise.race([sleep(milliseconds), ended])
      restoring.kill('SIGKILL')
      await ended
      const doctor = await furrow(['doctor'], { env: environmentOf(place) })
      const wrong = doctor.stdout.split('\n').filter((line) => /^ +\S/.test(line) && !/left behind|To mend:/.test(line))
      expect(wrong).toEqual([])
      expect(doctor.stdout).toMatch(/left behind|as it should be/)
      const now = await filesOf(await exported(place))
      await letGoOf(place)
      outcomes.add(now.get('/log/000001.jsonl') === before.get('/log/000001.jsonl') ? 'old' : 'new')
      expect([before, after]).toContainEqual(now)
    }
    expect([...outcomes]).toContain('old')
    expect(await furrow(['restore', archive, '--replace'], { env: environmentOf(place) })).toMatchObject({ code: 0 })
    expect(await filesOf(await exported(place))).toEqual(after)
    expect((await readdir(place.data)).filter((name) => name.startsWith('restoring-'))).toEqual([])
  })
})

describe.each(atLeastOn('sqlite'))('on %s', (engine) => {
  test('a backup while others write holds all that was acknowledged before it, as it was at one moment', async () => {
    const farm = await openFarm({ engine })
    await growFarm(farm)
    const client = await farm.login('manager')
    const archive = join(await emptyDirectory(), 'farm.tar.gz')
    /** How many each has written and been told so. */
    const acknowledged = [0, 0, 0, 0]
    const total = () => acknowledged.reduce((sum, count) => sum + count, 0)
    let writing = true
    const write = async (writer: number) => {
      for (let number = 0; writing; number += 1) {
        await client.create('log', {
          name: `Writer ${writer}, log ${number}`,
          type: 'farm_activity',
          timestamp: 1_600_000_000 + number,
          done: 1,
          asset: ['2'],
          movement: { area: ['9'] },
          log_category: [{ name: `Category ${number % 7}` }],
        })
        acknowledged[writer] = number + 1
      }
    }
    const writers = acknowledged.map((_, writer) => write(writer))
    await expect.poll(total).toBeGreaterThan(20)
    const sure = [...acknowledged]
    const before = total()
    const backup = await furrow(['backup', archive], { env: environmentOf(farm.installation.settings) })
    const during = total() - before
    writing = false
    await Promise.all(writers)
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(during).toBeGreaterThan(0)
    const target = await emptyPlace(engine)
    const env = environmentOf(target)
    expect(await furrow(['restore', archive], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await furrow(['doctor'], { env })).toMatchObject({ code: 0 })
    const copy = await openFarm({ place: target })
    const reader = await copy.login('viewer')
    const names = new Set<string>()
    for (let page = 0; ; page += 1) {
      const { list, next } = await reader.read(`/log.json?limit=1000&page=${page}`)
      for (const { name } of list) names.add(name)
      if (next === undefined) break
    }
    for (const [writer, least] of sure.entries()) {
      const held = [...names].filter((name) => name.startsWith(`Writer ${writer},`)).length
      expect(held).toBeGreaterThanOrEqual(least)
      // Each began with the next log when the one before was acknowledged: at one moment there is none after a gap.
      const expected = Array.from({ length: held }, (_, number) => `Writer ${writer}, log ${number}`)
      expect(expected.filter((name) => !names.has(name))).toEqual([])
    }
  })
})

/** The export of a farm restored from the archive elsewhere. */
async function unpacked(archive: string, engine: Engine): Promise<string> {
  const place = await emptyPlace(engine)
  expect(await furrow(['restore', archive], { env: environmentOf(place) })).toMatchObject({ code: 0 })
  return exported(place)
}

/** A farm with photos of 24 MB, which keep a backup busy for a while. It is only read, so that all tests have the same. */
let photographed: Promise<StoragePlace> | undefined
const photographedFarm = () => {
  photographed ??= takePhotos()
  return photographed
}

async function takePhotos(): Promise<StoragePlace> {
  const place = await emptyPlace('sqlite')
  const farm = await openFarm({ place })
  const client = await farm.login('manager')
  for (let number = 0; number < 4; number += 1) {
    const files = [`data:application/octet-stream;base64,${randomBytes(6_000_000).toString('base64')}`]
    await client.create('log', { name: `${number}`, type: 'farm_activity', timestamp: 1, files })
  }
  await farm.close()
  return place
}

test('a backup that is killed leaves no file of its name', async () => {
  const archive = join(await emptyDirectory(), 'farm.tar.gz')
  const backup = await started(['backup', archive], await photographedFarm())
  const ended = once(backup, 'exit')
  await expect.poll(() => existsSync(`${archive}.partial`), { interval: 5 }).toBe(true)
  backup.kill('SIGKILL')
  await ended
  expect(existsSync(archive)).toBe(false)
  expect((await stat(`${archive}.partial`)).isFile()).toBe(true)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a backup that is ended by %s leaves nothing', async (signal) => {
  const folder = await emptyDirectory()
  const archive = join(folder, 'farm.tar.gz')
  const backup = await started(['backup', archive], await photographedFarm())
  const ended = once(backup, 'exit')
  await expect.poll(() => existsSync(`${archive}.partial`), { interval: 5 }).toBe(true)
  backup.kill(signal)
  expect(await ended).toEqual([null, signal])
  expect(await readdir(folder)).toEqual([])
})

test('a backup of which the disk has kept something else is not given its name', async () => {
  const archive = join(await emptyDirectory(), 'farm.tar.gz')
  const partial = `${archive}.partial`
  const backup = await started(['backup', archive], await photographedFarm())
  const ended = once(backup, 'exit')
  const written = () => (existsSync(partial) ? statSync(partial).size : 0)
  await expect.poll(written, { interval: 5 }).toBeGreaterThan(200_000)
  const file = await open(partial, 'r+')
  await file.write(randomBytes(16), 0, 16, 100_000)
  await file.close()
  const [code] = await ended
  expect(code).toBe(1)
  expect([existsSync(archive), existsSync(partial)]).toEqual([false, false])
})

test.each(['SIGINT', 'SIGTERM'] as const)('an export that is ended by %s leaves nothing', async (signal) => {
  const folder = await emptyDirectory()
  const exporting = await started(['export', join(folder, 'new')], await photographedFarm())
  const ended = once(exporting, 'exit')
  await expect.poll(() => existsSync(join(folder, 'new', 'blobs')), { interval: 5 }).toBe(true)
  exporting.kill(signal)
  expect(await ended).toEqual([null, signal])
  expect(await readdir(folder)).toEqual([])
})

test('an export that finds no room leaves nothing of its own, and can be tried again', async () => {
  const { data } = await photographedFarm()
  const folder = await emptyDirectory()
  const [fresh, empty] = [join(folder, 'fresh'), join(folder, 'empty')]
  await mkdir(empty)
  for (const directory of [fresh, empty]) {
    const words = [process.execPath, await builtMain(), 'export', directory, '--data', data].map((word) => `'${word}'`)
    const { status, stderr } = spawnSync('sh', ['-c', `ulimit -f 2000; exec ${words.join(' ')}`], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringContaining('full or failing')])
  }
  expect([await readdir(folder), await readdir(empty)]).toEqual([['empty'], []])
  for (const directory of [fresh, empty]) {
    expect(await furrow(['export', directory, '--data', data])).toMatchObject({ code: 0 })
  }
})

test('an export that was killed is told from other directories that are not empty', async () => {
  const place = await photographedFarm()
  const directory = join(await emptyDirectory(), 'export')
  const exporting = await started(['export', directory], place)
  const ended = once(exporting, 'exit')
  await expect.poll(() => existsSync(join(directory, 'blobs')), { interval: 5 }).toBe(true)
  exporting.kill('SIGKILL')
  await ended
  const again = await furrow(['export', directory], { env: environmentOf(place) })
  expect(again.stderr).toContain('It seems to be an export that was cut short: delete it, or choose another directory.')
  const elsewhere = await furrow(['export', place.data], { env: environmentOf(place) })
  expect(elsewhere.stderr).toBe(`furrow: ${place.data} is not empty and is left as it is. Choose another directory.\n`)
})
