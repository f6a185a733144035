import { accessSync, closeSync, constants, existsSync, lchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotOpen } from '../cannot-open.ts'
import { codeOf } from '../sql/error-code.ts'
import { readOnlyFileSystem } from './read-only.ts'

/** What root makes in another user's directory is given to that user, whose server could not use it otherwise. */
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
