import { Refusal } from '../../refusal.ts'
import { codeOf } from '../sql/error-code.ts'

const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EEXIST: 'is there already and is not overwritten',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be opened by this user',
  ENAMETOOLONG: 'cannot be written: its name is too long',
  EISDIR: 'is a directory',
  ENOTDIR: 'is not a directory',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the quota is used up',
  EIO: 'cannot be read or written: the disk reports an error',
}

/** What the operator is told where the file system said no; anything else is handed back as it is. */
export function fileProblem(error: unknown, path: string): unknown {
  const code = codeOf(error)
  const sentence = words[code]
  return sentence === undefined
    ? error
    : new Refusal(code === 'ENOENT' ? 'not-found' : 'conflict', `${path} ${sentence}.`)
}
