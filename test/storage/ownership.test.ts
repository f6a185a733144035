import { chmod, chown, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { moveIn } from '../../src/records/moving/move-in.ts'
import { archiveAt } from '../../src/storage/backup/archive.ts'
import { CannotOpen } from '../../src/storage/cannot-open.ts'
import { lockDataDirectory } from '../../src/storage/lock.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { makeWritable } from '../../src/storage/ownership.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { backedUp, letGoOf, moveTo } from '../operation/moves.ts'

const isRoot = process.getuid?.() === 0

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

describe('what a command makes in a data directory belongs to the owner of the directory, also if root has run it', () => {
  test('a new farm, and the lock of its server', async () => {
    const data = await anothersDirectory()
    const lock = await lockDataDirectory(data)
    const database = await openDatabase({ data, database: null })
    expect((await ownersOf(data, 'server.lock', 'farm.sqlite', 'farm.sqlite-wal', 'farm.sqlite-shm')).size).toBe(1)
    await database.close()
    lock.release()
  })

  test('a farm that was restored', async () => {
    const place = { data: await anothersDirectory(), database: null }
    const archive = await backedUp(place)
    await letGoOf(place)
    await moveIn(archiveAt(archive), moveTo(place, { ifOccupied: 'keep-aside' }))
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
    else expect(() => makeWritable(file)).toThrow(/may not read and write .* chown --reference/)
  })

  test('a link that leads nowhere: nothing is made where it points', async () => {
    const data = await emptyDirectory()
    await symlink(join(data, 'elsewhere'), join(data, 'farm.sqlite'))
    expect(() => makeWritable(join(data, 'farm.sqlite'))).toThrow(CannotOpen)
    await expect(stat(join(data, 'elsewhere'))).rejects.toThrow('ENOENT')
  })
})
