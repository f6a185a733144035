import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { wallClock } from '../../src/clock.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { type FarmMove, restoreFarm } from '../../src/records/moving/restore-farm.ts'
import { backUp, exportTo } from '../../src/storage/backup/back-up.ts'
import { exportIn } from '../../src/storage/backup/directory.ts'
import { copyWhole } from '../../src/storage/backup/plain-file.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { emptyDirectory } from '../harness/databases.ts'

export const quiet = (): void => {}

/** How the tests move a farm to a place, unless they say otherwise. */
export const moveTo = (place: StoragePlace, differently: Partial<FarmMove> = {}): FarmMove => ({
  place,
  farm: stockFarm,
  clock: wallClock,
  report: quiet,
  ifOccupied: 'refuse',
  ifUnknown: 'refuse',
  ...differently,
})

export async function exported(place: StoragePlace): Promise<string> {
  const directory = join(await emptyDirectory(), 'export')
  const database = await openDatabase(place)
  await exportTo(database, directory, quiet).finally(() => database.close())
  return directory
}

export async function backedUp(place: StoragePlace): Promise<string> {
  const file = join(await emptyDirectory(), 'farm.tar.gz')
  const database = await openDatabase(place)
  await backUp(database, file, { clock: wallClock, report: quiet }).finally(() => database.close())
  return file
}

export const importInto = (place: StoragePlace, directory: string) => restoreFarm(exportIn(directory), moveTo(place))

/** Every file below a directory and what is in it. */
export async function filesOf(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.map(async (path) => [path.slice(directory.length), await readFile(path, 'latin1')] as const),
  )
  return new Map(texts.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * With this driver a closed connection holds on to its file until its statements are collected as garbage. A process that restores
 * has none; one that has served farms before, as tests do, leaves the old file to them and goes on with a copy.
 */
export async function letGoOf({ data, database }: StoragePlace): Promise<void> {
  if (database !== null) return
  const path = join(data, 'farm.sqlite')
  copyWhole(path, `${path}.copy`)
  for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true })
  await rename(`${path}.copy`, path)
}
