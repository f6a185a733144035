import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Clock } from '../../clock.ts'
import type { Database } from '../database.ts'
import { CannotOpen, type StoragePlace } from '../disk/cannot-open.ts'
import { ensureDataDirectory, giveToOwnerOf } from '../disk/data-directory.ts'
import type { Report } from '../report.ts'
import { messageOf } from '../sql/errors.ts'
import { backUp } from './back-up.ts'
import { syncFile } from './durable-files.ts'
import { copyWhole, isSound } from './plain-file.ts'
import { nameOfThisMoment } from './replacement.ts'

/** Keeps a verified copy of the farm in the data directory before its tables are changed, and answers where. No copy, no change. */
export async function copyBeforeUpgrade(
  place: StoragePlace,
  database: Database,
  { clock, from, report }: { readonly clock: Clock; readonly from: number; readonly report: Report },
): Promise<string> {
  const suffix = place.database === null ? 'sqlite' : 'tar.gz'
  const copy = join(resolve(place.data), `farm-version-${from}-${nameOfThisMoment(clock)}.${suffix}`)
  report('keeping a copy of the farm before its tables are changed', 0, 0)
  try {
    ensureDataDirectory(place.data)
    if (place.database === null) await copyFile(join(place.data, 'farm.sqlite'), copy)
    else await backUp(database, copy, { clock, report })
    giveToOwnerOf(place.data, copy)
    return copy
  } catch (error) {
    const reason = messageOf(error).replace(/\.?$/, '.')
    throw new CannotOpen(
      `This release has to change the tables of the farm, and could not keep a copy of it in ${place.data} first: ${reason} ` +
        'The farm was not changed.',
      { cause: error },
    )
  }
}

async function copyFile(path: string, copy: string): Promise<void> {
  const partial = `${copy}.partial`
  try {
    copyWhole(path, partial)
    if (!isSound(partial)) throw new Error('The copy is not sound.')
    await syncFile(partial)
    await rename(partial, copy)
  } finally {
    for (const left of [partial, `${partial}-journal`]) await rm(left, { force: true })
  }
}
