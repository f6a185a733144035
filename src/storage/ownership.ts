import { accessSync, closeSync, constants, existsSync, lchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CannotOpen } from './cannot-open.ts'
import { codeOf } from './error-code.ts'
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
}

function whyNotWritable(path: string, error: unknown): string {
  if (codeOf(error) === 'EROFS') return `${path} cannot be written: ${readOnlyFileSystem}`
  const refused = `This user may not read and write ${path}.`
  if (statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()) {
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
    throw new CannotOpen(`${directory} cannot be the data directory: ${reasonOf(error)}`, { cause: error })
  }
  giveToOwnerOf(directory, path)
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  if (code === 'EROFS') return readOnlyFileSystem
  return ['EACCES', 'EPERM'].includes(code)
    ? 'this user may not write to it. Run the command as its owner, such as with sudo -u.'
    : `nothing can be written to it (${String(error)}).`
}
