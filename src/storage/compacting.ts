import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Refusal } from '../refusal.ts'
import { onPlainFile } from './backup/plain-file.ts'
import type { Database, Snapshot } from './database.ts'
import { lockDataDirectory } from './disk/data-directory.ts'
import { ask, fragment } from './sql/fragment.ts'

/** How much room the database takes on its disk. */
export async function databaseBytes(snapshot: Snapshot, { engine }: Pick<Database, 'engine'>): Promise<number> {
  const size =
    engine === 'sqlite'
      ? fragment`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : fragment`select pg_database_size(current_database()) as bytes`
  const [row] = await ask<{ bytes: number | string }>(snapshot, size)
  return Number(row?.bytes ?? 0)
}

/** What compacting a file will take. */
export interface CompactionPlan {
  readonly bytes: number
  /** Of these, those that hold nothing any more. */
  readonly unusedBytes: number
  /** The file is written anew beside itself, and then over itself. */
  readonly neededBytes: number
  readonly freeBytes: number
  /** Roughly, on a plain disk. */
  readonly seconds: number
}

const bytesPerSecond = 40 * 1024 ** 2

/** Writes the file anew without what is unused; afterwards it gives room back by itself. Its server must be stopped. */
export async function compactFile(
  data: string,
  tell: (plan: CompactionPlan) => void,
): Promise<{ readonly before: number; readonly after: number }> {
  // SQLite writes the new file into this folder; the temporary folder of the system may be small, or in memory. It looks once.
  process.env.SQLITE_TMPDIR = resolve(data)
  const lock = await lockDataDirectory(data)
  try {
    const path = join(data, 'farm.sqlite')
    const plan = await planOf(path)
    tell(plan)
    if (plan.freeBytes < plan.neededBytes)
      throw new Refusal(
        'conflict',
        `There is not enough room on the disk of ${data}: ${mebibytes(plan.neededBytes)} are needed and ${mebibytes(plan.freeBytes)} are free. Nothing was changed.`,
      )
    onPlainFile(path, (file) => {
      file.run('PRAGMA auto_vacuum=INCREMENTAL')
      file.run('VACUUM')
      file.run('PRAGMA wal_checkpoint(TRUNCATE)')
    })
    return { before: plan.bytes, after: statSync(path).size }
  } finally {
    lock.release()
  }
}

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`

async function planOf(path: string): Promise<CompactionPlan> {
  const [bytes = 0, unusedBytes = 0] = onPlainFile(path, (file) => [
    ...file.list('page_count * page_size', 'pragma_page_count(), pragma_page_size()'),
    ...file.list('freelist_count * page_size', 'pragma_freelist_count(), pragma_page_size()'),
  ]).map(Number)
  const { bavail, bsize } = await statfs(path)
  const live = bytes - unusedBytes
  return {
    bytes,
    unusedBytes,
    neededBytes: 2 * live,
    freeBytes: bavail * bsize,
    seconds: Math.ceil((2 * live) / bytesPerSecond),
  }
}
