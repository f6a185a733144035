import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotOpen } from './cannot-open.ts'
import { isFilled, sizeOf } from './file-size.ts'

/** What only a farm leaves behind. A new one is made before its server takes the lock. */
const trace = /^(farm-(before|version)-.*\.sqlite(-wal)?|farm\.sqlite-(wal|shm)|server\.lock)$/

/** Whether there is anything in the file of the farm. Where it may not be looked at it is taken to be there: whoever opens it says why. */
export function hasFarmFile(data: string): boolean {
  try {
    return isFilled(join(data, 'farm.sqlite'))
  } catch {
    return true
  }
}

/** Where a farm has been and its file is gone, an empty one must not take its place: nobody would notice before the morning. */
export function refuseLostFarm(data: string): void {
  // What is beside it first: a farm that another command is making has its file before it has anything else.
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
