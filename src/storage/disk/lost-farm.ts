import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotOpen } from './cannot-open.ts'

/** Files that only a farm leaves behind. A new farm is made before its server takes the lock. */
const trace = /^(farm-(before|version)-.*\.sqlite(-wal)?|farm\.sqlite-(wal|shm)|server\.lock)$/

/** True if the farm's file has content. An unreadable one counts as present: opening it explains why. */
export function hasFarmFile(data: string): boolean {
  try {
    return isFilled(join(data, 'farm.sqlite'))
  } catch {
    return true
  }
}

/** If a farm has lost its file, an empty one must not take its place unnoticed. */
export function refuseLostFarm(data: string): void {
  // Traces are read first: a farm being created has its file before anything else.
  const traces = tracesIn(data)
  if (traces.length === 0 || hasFarmFile(data)) return
  const file = join(data, 'farm.sqlite')
  const directory = resolve(data)
  throw new CannotOpen(
    `There has been a farm in ${directory}, but its farm.sqlite is ${sizeOf(file) === null ? 'missing' : 'empty'}; beside it is ${traces.join(', ')}. ` +
      'Put farm.sqlite back if it was moved, or restore the last backup with `furrow restore FILE`; ' +
      `for a new farm choose another directory with --data, or move what is in ${directory} elsewhere first.` +
      (traces.join() === 'server.lock' ? ` ${afterKilledStart}` : ''),
  )
}

const afterKilledStart =
  'If no farm was ever begun there, as where a first start was killed, delete server.lock and try again.'

const tracesIn = (data: string): readonly string[] =>
  namesIn(data)
    .filter((name) => trace.test(name))
    .sort()

function namesIn(data: string): readonly string[] {
  try {
    return readdirSync(data)
  } catch {
    // Not there, or not to be looked into: whoever opens it says so.
    return []
  }
}

/** Null where there is no such file. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null

export const isFilled = (path: string): boolean => (sizeOf(path) ?? 0) > 0
