import { spawnSync } from 'node:child_process'
import { chmod, chown, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { CannotOpen } from '../../src/storage/disk/cannot-open.ts'
import { ensureDataDirectory, lockDataDirectory, makeWritable } from '../../src/storage/disk/data-directory.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts'
import { builtMain, furrow } from '../cli/built-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { backedUp, letGoOf, moveTo } from '../operation/moves.ts'

const isRoot = process.getuid?.() === 0

/** Root may write everything, unless that power is taken away. */
const bereft = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

/** A directory of another user, where this one may give it away. */
async function anothersDirectory(): Promise<string> {
  const data = await emptyDirectory()
  if (isRoot) await chown(data, 65_534, 65_534)
  return data
}

const ownersOf = async (data: string, ...names: readonly string[]) => {
  const owners = [data, ...names.map((name) => join(data, name))].map(async (path) => (await stat(path)).uid)
  return new Set(await Promise.all(owners))
}

async function earlierFarmIn(data: string): Promise<void> {
  const path = join(data, 'farm.sqlite')
  makeWritable(path)
  const database = openSqlite(path)
  await migrate(database, wallClock, { upTo: 1 })
  await database.close()
}

test('a farm, its lock and its copies are for their owner only, also in a directory that others may look into', async () => {
  const data = await emptyDirectory()
  await chmod(data, 0o755)
  await earlierFarmIn(data)
  const lock = await lockDataDirectory(data)
  const database = await openDatabase({ data, database: null })
  const names = await readdir(data)
  expect(names.map((name) => name.replace(/-version-.*/, '-version')).sort()).toEqual(
    expect.arrayContaining(['farm-version', 'farm.sqlite', 'farm.sqlite-wal', 'server.lock']),
  )
  for (const name of names) expect([name, (await stat(join(data, name))).mode & 0o777]).toEqual([name, 0o600])
  await database.close()
  lock.release()
})

describe('what a command makes in a data directory belongs to the owner of the directory, also if root has run it', () => {
  test('a new farm, and the lock of its server', async () => {
    const data = await anothersDirectory()
    const database = await openDatabase({ data, database: null })
    const lock = await lockDataDirectory(data)
    expect((await ownersOf(data, 'server.lock', 'farm.sqlite', 'farm.sqlite-wal', 'farm.sqlite-shm')).size).toBe(1)
    await database.close()
    lock.release()
  })

  test('the copy that is kept before an upgrade', async () => {
    const data = await anothersDirectory()
    await earlierFarmIn(data)
    const copies: string[] = []
    const installation = { kept: (copy: string) => void copies.push(basename(copy)) }
    await (await openDatabase({ data, database: null }, wallClock, installation)).close()
    expect(copies).toHaveLength(1)
    expect((await ownersOf(data, ...copies, 'farm.sqlite')).size).toBe(1)
  })

  test('a farm that was restored', async () => {
    const place = { data: await anothersDirectory(), database: null }
    const archive = await backedUp(place)
    await letGoOf(place)
    await restoreFarm(archiveAt(archive), moveTo(place, { ifOccupied: 'keep-aside' }))
    expect((await ownersOf(place.data, 'farm.sqlite')).size).toBe(1)
  })
})

describe('what this user cannot write is refused in words for the operator', () => {
  test('a directory', () => {
    expect(() => makeWritable('/sys/farm.sqlite')).toThrow(CannotOpen)
    expect(() => makeWritable('/sys/farm.sqlite')).toThrow(/^\/sys cannot be the data directory/)
  })

  test('a file', async () => {
    const file = join(await emptyDirectory(), 'farm.sqlite')
    await writeFile(file, '')
    await chmod(file, 0o400)
    // Root may write everything.
    if (isRoot) expect(makeWritable(file)).toBeUndefined()
    else expect(() => makeWritable(file)).toThrow(/may not read and write .* chmod u\+rw/)
  })

  test("one's own file whose rights forbid it, and another's, each with what helps", async () => {
    const data = await emptyDirectory()
    const file = join(data, 'farm.sqlite')
    await writeFile(file, '')
    await chmod(file, 0o400)
    const line = [...bereft, process.execPath, await builtMain(), 'config', 'show', '--data', data]
    const ask = () => spawnSync('env', line, { encoding: 'utf8' })
    const { status, stderr } = ask()
    expect([status, stderr]).toEqual([1, expect.stringContaining(`its rights forbid it: chmod u+rw '${file}'\n`)])
    if (!isRoot) return
    await chown(file, 65_534, 65_534)
    expect(ask().stderr).toContain(`give it back: chown --reference='${data}' '${file}'\n`)
  })

  test('a directory of which only the files can be written, with what helps, whether it has a lock or not', async () => {
    const folder = await emptyDirectory()
    const [data, archive] = [join(folder, 'farm'), join(folder, 'farm.tar.gz')]
    expect(await furrow(['config', 'set', 'name', 'Hill farm', '--data', data])).toMatchObject({ code: 0 })
    expect(await furrow(['backup', archive, '--data', data])).toMatchObject({ code: 0 })
    const commands = [['serve', '--port', '0'], ['restore', archive, '--replace'], ['user', 'list'], ['doctor']]
    const main = await builtMain()
    const refuseAll = async (sentence: string) => {
      await chmod(data, 0o500)
      for (const args of commands) {
        const line = [...bereft, process.execPath, main, ...args, '--data', data]
        const { status, stderr } = spawnSync('env', line, { encoding: 'utf8' })
        expect([status, stderr]).toEqual([1, `furrow: ${data} cannot be the data directory: ${sentence}\n`])
      }
      await chmod(data, 0o700)
    }
    const own = `this user may not write to it. It is this user's own, but its rights forbid it: chmod u+rwx '${data}'`
    await refuseAll(own)
    await writeFile(join(data, 'server.lock'), '')
    await refuseAll(own)
  })

  test('a file system that is read-only, where this user may mount one; what is on it can still be saved', async () => {
    const place = await emptyDirectory()
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'mode=700', 'tmpfs', place]).status !== 0) return
    try {
      const data = join(place, 'farm')
      expect(await furrow(['config', 'set', 'name', 'Hill farm', '--data', data])).toMatchObject({ code: 0 })
      spawnSync('mount', ['-o', 'remount,ro', place])
      const refused = /farm\.sqlite cannot be written: its file system is read-only\. Look into the system log/
      expect(() => makeWritable(join(data, 'farm.sqlite'))).toThrow(refused)
      expect(() => makeWritable(join(data, 'other'))).toThrow(
        /cannot be the data directory: its file system is read-only/,
      )
      expect(() => ensureDataDirectory(join(place, 'new'))).toThrow(/its file system is read-only/)
      for (const args of [['serve'], ['user', 'block', 'ada'], ['config', 'set', 'name', 'Dale farm']]) {
        const { code, stderr } = await furrow([...args, '--data', data])
        expect([code, stderr]).toEqual([1, expect.stringMatching(/: its file system is read-only\. Look into/)])
      }
      const elsewhere = await emptyDirectory()
      expect(await furrow(['doctor', '--data', data])).toMatchObject({ code: 0 })
      expect(await furrow(['export', join(elsewhere, 'export'), '--data', data])).toMatchObject({ code: 0 })
      expect(await furrow(['backup', join(elsewhere, 'farm.tar.gz'), '--data', data])).toMatchObject({ code: 0 })
      const [restored, log] = [join(elsewhere, 'farm'), join(data, 'farm.sqlite-wal')]
      await furrow(['restore', join(elsewhere, 'farm.tar.gz'), '--data', restored])
      expect((await furrow(['config', 'show', '--data', restored])).stdout).toContain('Hill farm')
      spawnSync('mount', ['-o', 'remount,rw', place])
      await writeFile(log, 'what was written last')
      spawnSync('mount', ['-o', 'remount,ro', place])
      const { stderr } = await furrow(['backup', join(elsewhere, 'again.tar.gz'), '--data', data])
      expect(stderr).toContain(`cannot be read without what was written to it last, in ${log}, and its file system`)
    } finally {
      spawnSync('umount', ['-l', place])
    }
  })

  test('a link that leads nowhere: nothing is made where it points', async () => {
    const data = await emptyDirectory()
    await symlink(join(data, 'elsewhere'), join(data, 'farm.sqlite'))
    expect(() => makeWritable(join(data, 'farm.sqlite'))).toThrow(CannotOpen)
    await expect(stat(join(data, 'elsewhere'))).rejects.toThrow('ENOENT')
  })
})
