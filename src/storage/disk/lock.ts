import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { CannotOpen } from '../cannot-open.ts'
import { isBusy } from '../sqlite/errors.ts'
import { ensureDataDirectory } from './data-directory.ts'
import { hasFarmFile } from './lost-farm.ts'
import { makeWritable } from './ownership.ts'

export interface Lock {
  release(): void
}

/** Only one server owns a data directory. The operating system takes the lock back from a process that dies. */
export async function lockDataDirectory(directory: string): Promise<Lock> {
  ensureDataDirectory(directory)
  const path = join(directory, 'server.lock')
  makeWritable(path)
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!isBusy(error)) throw error
    throw new CannotOpen(`Another server is using the data directory ${directory}. Stop it first, or choose another.`)
  }
  return {
    release() {
      if (!file.isOpen) return
      // Without a farm it would be taken for the trace of one.
      if (!hasFarmFile(directory)) rmSync(path, { force: true })
      file.close()
    },
  }
}
