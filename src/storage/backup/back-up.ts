import { rmSync, type Stats } from 'node:fs'
import { lstat, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Database, Snapshot } from '../database.ts'
import type { Report } from '../report.ts'
import { codeOf } from '../sql/errors.ts'
import { areNotThere, canBeRebuilt, missingTables } from '../sql/existing-tables.ts'
import { archiveAt, writeArchive } from './archive.ts'
import { writeDirectory } from './directory.ts'
import { fileProblem, syncDirectory, withdrawnIfInterrupted } from './durable-files.ts'
import { type ExportOptions, exportRows } from './export-rows.ts'
import type { ArchiveEntry, Manifest } from './manifest.ts'
import { verify } from './verification.ts'

export interface BackupResult {
  readonly manifest: Manifest
  /** Files whose bytes are no longer what they were when they were recorded. */
  readonly damaged: readonly string[]
}

/** Writes everything into one archive while others go on writing, and reads it back before it gets its name. */
export async function backUp(
  database: Database,
  path: string,
  { clock, report }: { readonly clock: Clock; readonly report: Report },
): Promise<BackupResult> {
  await requireDirectory(dirname(path))
  await refuseExisting(path)
  const partial = `${path}.partial`
  await refuseUnfinished(partial, path)
  const withdraw = () => rmSync(partial, { force: true })
  return withdrawnIfInterrupted(withdraw, async () => {
    try {
      const departure = await leave(database, { report }, (entries) => writeArchive(partial, entries, clock()))
      await verify({ ...archiveAt(partial), name: path }, report)
      await rename(partial, path)
      await syncDirectory(dirname(path))
      return departure
    } catch (error) {
      // Then it is another's, who may be at work on it.
      if (codeOf(error) === 'EEXIST') throw isUnfinished(partial)
      withdraw()
      throw fileProblem(error, path)
    }
  })
}

export const exportTo = (database: Database, directory: string, report: Report): Promise<BackupResult> =>
  leave(database, { report }, (entries) => writeDirectory(directory, entries))

/**
 * The one place that awaits the disk inside a snapshot: commands have the process and its connection to themselves, and a
 * snapshot keeps nobody from writing.
 */
export function leave(
  database: Database,
  { report, isKept }: Pick<ExportOptions, 'report' | 'isKept'>,
  write: (entries: AsyncIterable<ArchiveEntry>) => Promise<void>,
): Promise<BackupResult> {
  return database.read(async (snapshot: Snapshot) => {
    let departure: BackupResult | undefined
    const done = (manifest: Manifest, damaged: readonly string[]) => {
      departure = { manifest, damaged }
    }
    await requireTablesThatLeave(snapshot, database)
    await write(exportRows(snapshot, database, { report, done, ...(isKept && { isKept }) }))
    if (departure === undefined) throw new Error('What was written has no manifest')
    return departure
  })
}

/** A backup without one of its tables would be useless. */
async function requireTablesThatLeave(snapshot: Snapshot, database: Database): Promise<void> {
  const missing = (await missingTables(snapshot, database)).filter((table) => !canBeRebuilt(table))
  if (missing.length === 0) return
  throw new Refusal('conflict', `${areNotThere(missing)}: run \`furrow doctor\`. Nothing was written.`)
}

async function requireDirectory(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null)
  if (found?.isDirectory()) return
  const what = found === null ? 'does not exist. Create it, or write' : 'is not a directory. Write'
  throw new Refusal('not-found', `${directory} ${what} the backup elsewhere.`)
}

/** The file status, or null; errors name the path as typed. */
const lookAt = (path: string, typed: string): Promise<Stats | null> =>
  lstat(path).catch((error) => {
    if (codeOf(error) === 'ENOENT') return null
    throw fileProblem(error, typed)
  })

/** Asked of the name and not by opening it: what this user may not read is there too, and a pipe would wait for a writer. */
async function refuseExisting(path: string): Promise<void> {
  const found = await lookAt(path, path)
  if (found === null) return
  if (!found.isDirectory()) throw fileProblem(Object.assign(new Error(), { code: 'EEXIST' }), path)
  throw new Refusal('conflict', `${path} is a directory. Name the file to write, such as ${join(path, 'farm.tar.gz')}.`)
}

async function refuseUnfinished(partial: string, path: string): Promise<void> {
  if ((await lookAt(partial, path)) === null) return
  throw isUnfinished(partial)
}

const isUnfinished = (partial: string): Refusal =>
  new Refusal(
    'conflict',
    `${partial} is there: another backup is writing it, or one was cut short. Delete it if none is running, or choose another name.`,
  )
