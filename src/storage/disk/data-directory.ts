import { CannotOpen } from '../cannot-open.ts'
import { codeOf } from '../sql/error-code.ts'
import { makeDirectory } from './making-directories.ts'

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
