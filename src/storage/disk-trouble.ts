import { isServerTrouble } from './postgres/errors.ts'
import { isDiskTrouble } from './sqlite/errors.ts'

const codesOfTheSystem = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']

/** Whether something could not be done because a disk, ours or the database server's, is full or failing. */
export function isTroubleOfADisk(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if ('code' in error && codesOfTheSystem.includes(String(error.code))) return true
  return isDiskTrouble(error) || isServerTrouble(error)
}
