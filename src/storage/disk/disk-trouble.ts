import { isServerTrouble } from '../postgres/errors.ts'
import { codeOf } from '../sql/error-code.ts'
import { isDiskTrouble } from '../sqlite/errors.ts'

const codesOfTheSystem = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']

/** Whether something could not be done because a disk, ours or the database server's, is full or failing. */
export function isTroubleOfADisk(error: unknown): error is Error {
  return codesOfTheSystem.includes(codeOf(error)) || isDiskTrouble(error) || isServerTrouble(error)
}
