import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotOpen } from './cannot-open.ts'
import { isFilled, sizeOf } from './file-size.ts'

const keptBeside = /^farm-(before|version)-.*\.sqlite(-wal)?$/
const writeAheadLog = 'farm.sqlite-wal'

/** Where a farm has been and its file is gone, an empty one must not take its place: nobody would notice before the morning. */
export function refuseLostFarm(data: string): void {
  // What is beside it first: a farm that another command is making has its file before it has anything else.
  const traces = tracesIn(data)
  if (traces.length === 0) return
  const file = join(data, 'farm.sqlite')
  if (isFilled(file)) return
  const directory = resolve(data)
  throw new CannotOpen(
    `There has been a farm in ${directory}, but its farm.sqlite is ${sizeOf(file) === null ? 'missing' : 'empty'}; beside it is ${traces.join(', ')}. ` +
      'Put farm.sqlite back if it was moved, or restore the last backup with `furrow restore FILE`; ' +
      `for a new farm choose another directory with --data, or move what is in ${directory} elsewhere first.`,
  )
}

/** What only a farm leaves behind. */
function tracesIn(data: string): readonly string[] {
  return namesIn(data)
    .filter((name) => keptBeside.test(name) || (name === writeAheadLog && isFilled(join(data, name))))
    .sort()
}

function namesIn(data: string): readonly string[] {
  try {
    return readdirSync(data)
  } catch {
    // Not there, or not to be looked into: whoever opens it says so.
    return []
  }
}
