import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Database } from '../database.ts'
import { codeOf, isBusy } from '../sql/errors.ts'
import { openImmutable } from '../sqlite/open-file.ts'
import { CannotOpen } from './cannot-open.ts'
import { hasFarmFile, isFilled } from './lost-farm.ts'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file. Say where the farm is, or is to be, with --data',
  ENOTDIR: 'a part of its path is a file. Say where the farm is, or is to be, with --data',
  EACCES:
    'this user may not create it. Create it as another user and give it to this one, or choose another with --data',
  EPERM:
    'this user may not create it. Create it as another user and give it to this one, or choose another with --data',
  EROFS: 'its file system is read-only. Choose another with --data',
  ENOSPC: 'there is no room left on that disk',
}

/** Creates the data directory where it is missing; only its owner may look inside. */
export function ensureDataDirectory(directory: string): void {
  try {
    makeDirectory(directory)
  } catch (error) {
    throw new CannotOpen(`${directory} cannot be the data directory: ${reasons[codeOf(error)] ?? String(error)}.`, {
      cause: error,
    })
  }
}

/**
 * Makes a directory, and those above it, for its owner only. Node reports a file system that cannot be written to as a missing
 * directory; here the error is the one of the directory that is there.
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') accessSync(nearestOf(resolve(path)), constants.W_OK)
    throw error
  }
}

function nearestOf(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestOf(dirname(path))
}

/**
 * Files that root creates in another user's directory are given to that user, whose server could not use them
 * otherwise.
 */
export function giveToOwnerOf(directory: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(directory)
  lchownSync(path, uid, gid)
}

/**
 * Makes sure that there is a file which this user can write, or says so before SQLite does in its own words. An empty file is an
 * empty database: made beforehand, all that SQLite puts beside it has the same owner and the same rights.
 */
export function makeWritable(path: string): void {
  if (!existsSync(path)) makeEmpty(path)
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new CannotOpen(whyNotWritable(path, error), { cause: error })
  }
  requireWritable(dirname(path))
}

/** SQLite makes files of its own beside each that it writes. */
function requireWritable(directory: string): void {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw cannotBeData(directory, error)
  }
}

const cannotBeData = (directory: string, error: unknown): CannotOpen =>
  new CannotOpen(`${directory} cannot be the data directory: ${reasonOf(error, directory)}`, { cause: error })

function whyNotWritable(path: string, error: unknown): string {
  if (codeOf(error) === 'EROFS') return `${path} cannot be written: ${readOnlyFileSystem}`
  const refused = `This user may not read and write ${path}.`
  if (isOwn(path)) {
    return `${refused} It is this user's own, but its rights forbid it: chmod u+rw '${path}'`
  }
  return (
    `${refused} Run the command as the owner of the directory, or, if only the file is another's, give it back: ` +
    `chown --reference='${dirname(path)}' '${path}'`
  )
}

function makeEmpty(path: string): void {
  const directory = dirname(path)
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    // Another command may have been quicker.
    if (codeOf(error) === 'EEXIST') return
    throw cannotBeData(directory, error)
  }
  giveToOwnerOf(directory, path)
}

function reasonOf(error: unknown, directory: string): string {
  const code = codeOf(error)
  if (code === 'EROFS') return readOnlyFileSystem
  if (!['EACCES', 'EPERM'].includes(code)) return `nothing can be written to it (${String(error)}).`
  return isOwn(directory)
    ? `this user may not write to it. It is this user's own, but its rights forbid it: chmod u+rwx '${directory}'`
    : 'this user may not write to it. Run the command as its owner, such as with sudo -u.'
}

const isOwn = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()

export interface Lock {
  release(): void
}

/** Only one server owns a data directory. The operating system takes the lock back from a process that dies. */
export async function lockDataDirectory(directory: string): Promise<Lock> {
  ensureDataDirectory(directory)
  const path = join(directory, 'server.lock')
  makeWritable(path)
  const file = lockFile(path)
  if (file === null)
    throw new CannotOpen(`Another server is using the data directory ${directory}. Stop it first, or choose another.`)
  return {
    release() {
      if (!file.isOpen) return
      // Without a farm it would be taken for the trace of one.
      if (!hasFarmFile(directory)) rmSync(path, { force: true })
      file.close()
    },
  }
}

type LockedFile = InstanceType<typeof DatabaseSync>

/** Null where another process has it. The operating system takes it back from one that dies. */
export function lockFile(path: string): LockedFile | null {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
    return file
  } catch (error) {
    file.close()
    if (!isBusy(error)) throw error
    return null
  }
}

/** A disk that fails is often made so by the system itself. */
const readOnlyFileSystem =
  'its file system is read-only. Look into the system log for why, and mount it for writing, or copy the directory elsewhere and name it with --data.'

export function isOnReadOnlyFileSystem(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

/** Opens a farm that can be read and nothing else, so that it can be looked at and saved. */
export function openToRead(path: string): Database {
  // The write-ahead log has changes that cannot be applied here.
  if (isFilled(`${path}-wal`)) {
    throw new CannotOpen(
      `${path} cannot be read without what was written to it last, in ${path}-wal, and ${readOnlyFileSystem}`,
    )
  }
  return openImmutable(path, `${path} cannot be written: ${readOnlyFileSystem}`)
}
