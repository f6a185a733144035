import { accessSync, constants } from 'node:fs'
import { CannotOpen } from '../cannot-open.ts'
import type { Database } from '../database.ts'
import { codeOf } from '../sql/error-code.ts'
import { openImmutable } from '../sqlite/open-immutable.ts'
import { isFilled } from './file-size.ts'

/** A disk that fails is often made so by the system itself. */
export const readOnlyFileSystem =
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
  // What is in the log is not in the farm yet, and nobody can put it there.
  if (isFilled(`${path}-wal`)) {
    throw new CannotOpen(
      `${path} cannot be read without what was written to it last, in ${path}-wal, and ${readOnlyFileSystem}`,
    )
  }
  return openImmutable(path, `${path} cannot be written: ${readOnlyFileSystem}`)
}
