import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf } from '../sql/error-code.ts'

/**
 * Makes a directory, and those above it, for its owner only. Node reports a file system that cannot be written to as a missing
 * directory; here the error is the one of the directory that is there.
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') accessSync(nearestOf(resolve(path)), constants.W_OK)
    throw error
  }
}

function nearestOf(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestOf(dirname(path))
}
