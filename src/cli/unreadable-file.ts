import { Refusal } from '../refusal.ts'
import { codeOf } from '../storage/sql/errors.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory; name a file in it',
  EACCES: 'whoever runs this command may not read it',
}

/** A refusal that explains why a named file cannot be read; any other error is returned as it is. */
export function unreadableFile(path: string, error: unknown): unknown {
  const reason = reasons[codeOf(error)]
  return reason === undefined ? error : new Refusal('not-found', `${path} cannot be read: ${reason}.`)
}
