import { mkdirSync } from 'node:fs'
import { CannotOpen } from './cannot-open.ts'

/** Creates the data directory where it is missing; only its owner may look inside. */
export function ensureDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new CannotOpen(`The data directory ${directory} cannot be created: ${String(error)}`, { cause: error })
  }
}
