import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotOpen, type StoragePlace } from '../disk/cannot-open.ts'
import { giveToOwnerOf, lockDataDirectory } from '../disk/data-directory.ts'
import { isFilled } from '../disk/lost-farm.ts'
import { isBusy } from '../sql/errors.ts'
import { openWorkshop } from '../sqlite/open-file.ts'
import { syncDirectory, syncFile } from './durable-files.ts'
import { copyWhole, onPlainFile, type PlainFile } from './plain-file.ts'
import {
  type Fill,
  nameOfThisMoment,
  occupied,
  type ReplaceOptions,
  recorded,
  signsOfLife,
  signsOfRecords,
} from './replacement.ts'

/**
 * Puts a new farm in the place of the old one, all at once: until the last moment, and whenever `fill` fails or the process
 * dies, the old one is untouched. Answers where the old one is kept, or null where there was none.
 */
export async function replaceFarm(place: StoragePlace, options: ReplaceOptions, fill: Fill): Promise<string | null> {
  if (place.database === null) return replaceFile(place.data, options, fill)
  const { replaceTables } = await import('./replace-tables.ts')
  return replaceTables(place.database, options, fill)
}

const prefix = 'restoring-'

async function replaceFile(data: string, options: ReplaceOptions, fill: Fill): Promise<string | null> {
  const lock = await lockDataDirectory(data)
  const workshop = join(data, `${prefix}${nameOfThisMoment(options.clock)}`)
  try {
    const path = join(data, 'farm.sqlite')
    const keep = worthKeeping(path)
    if (keep && options.ifOccupied === 'refuse') throw occupied(data)
    if (keep && options.ifOccupied === 'keep-unrecorded-aside' && isFilledWith(path, signsOfRecords))
      throw recorded(data)
    await sweepWorkshops(data)
    await mkdir(workshop, { mode: 0o700 })
    const fresh = await fillFile(join(workshop, 'farm.sqlite'), fill)
    giveToOwnerOf(data, fresh)
    const aside = join(data, `farm-before-${nameOfThisMoment(options.clock)}.sqlite`)
    const lost = isFilled(path) ? null : await keepLostLog(path, aside)
    await swap(fresh, path, keep ? aside : null)
    return keep ? aside : lost
  } finally {
    await rm(workshop, { recursive: true, force: true })
    lock.release()
  }
}

/** A log whose farm is gone: SQLite would delete it beside an empty file, and take it for the new farm's own beside a full one. */
async function keepLostLog(path: string, aside: string): Promise<string | null> {
  await rm(`${path}-shm`, { force: true })
  if (!isFilled(`${path}-wal`)) return null
  await rename(`${path}-wal`, `${aside}-wal`)
  return `${aside}-wal`
}

/** True for a farm with content. An unreadable one is also kept. */
const worthKeeping = (path: string): boolean => isFilled(path) && isFilledWith(path, signsOfLife)

function isFilledWith(path: string, signs: typeof signsOfLife): boolean {
  try {
    return onPlainFile(path, (file) => hasAny(file, signs))
  } catch (error) {
    if (isBusy(error)) throw inUse(path)
    return true
  }
}

function hasAny(file: PlainFile, signs: typeof signsOfLife): boolean {
  const there = new Set(file.list('name', "sqlite_master where type = 'table'"))
  return signs.some(({ table, rows }) => there.has(table) && file.list('1', `${rows} limit 1`).length > 0)
}

/** Removes leftovers of a killed restore. This process holds the lock, so nobody else works here. */
async function sweepWorkshops(data: string): Promise<void> {
  const left = (await readdir(data)).filter((name) => name.startsWith(prefix))
  for (const name of left) await rm(join(data, name), { recursive: true, force: true })
}

/** The connections to the file that was filled may outlive it, so that a copy is what takes its place. */
async function fillFile(path: string, fill: Fill): Promise<string> {
  const database = openWorkshop(path)
  try {
    await fill(database)
  } finally {
    await database.close()
  }
  const copy = `${path}.copy`
  copyWhole(path, copy)
  await syncFile(copy)
  return copy
}

/** Atomic: at every moment there is a whole farm at `path`. */
async function swap(fresh: string, path: string, aside: string | null): Promise<void> {
  if (existsSync(path)) await foldLog(path, aside)
  if (aside !== null) await linkOrCopy(path, aside)
  await rename(fresh, path)
  await syncDirectory(dirname(path))
}

/**
 * The write-ahead log belongs to the file that is about to go: found beside the new one it would be taken for its own. Leaving
 * WAL mode folds it in, and is refused while anybody else has the file open.
 */
async function foldLog(path: string, aside: string | null): Promise<void> {
  try {
    onPlainFile(path, (file) => file.run('PRAGMA journal_mode=DELETE'))
  } catch (error) {
    if (isBusy(error)) throw inUse(path)
  }
  for (const suffix of ['-wal', '-shm']) {
    if (!existsSync(path + suffix)) continue
    // Only a file that SQLite could not read still has them.
    if (aside === null) await rm(path + suffix)
    else await rename(path + suffix, aside + suffix)
  }
}

const inUse = (path: string): CannotOpen =>
  new CannotOpen(`Another program has ${path} open. Wait for it to end, or stop it.`)

async function linkOrCopy(path: string, aside: string): Promise<void> {
  try {
    await link(path, aside)
  } catch {
    await copyFile(path, aside)
  }
}
