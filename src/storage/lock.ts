import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { CannotOpen } from './cannot-open.ts'
import { ensureDataDirectory } from './data-directory.ts'
import { makeWritable } from './ownership.ts'
import { isBusy } from './sqlite/errors.ts'

export interface Lock {
  release(): void
}

function openLock(directory: string) {
  const path = join(directory, 'server.lock')
  makeWritable(path)
  return new DatabaseSync(path, { timeout: 0 })
}

/** Only one server owns a data directory. The operating system takes the lock back from a process that dies. */
export async function lockDataDirectory(directory: string): Promise<Lock> {
  ensureDataDirectory(directory)
  const file = openLock(directory)
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!isBusy(error)) throw error
    throw new CannotOpen(`Another server is using the data directory ${directory}. Stop it first, or choose another.`)
  }
  return {
    release() {
      if (file.isOpen) file.close()
    },
  }
}
