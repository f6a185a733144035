import { createHash } from 'node:crypto'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Engine, Snapshot, Transaction } from '../database.ts'
import { CannotOpen } from '../disk/cannot-open.ts'
import { blobHashes, chunksOf } from '../file-rows.ts'
import type { Report } from '../report.ts'
import { postgresCode, sqliteCode } from '../sql/errors.ts'
import { canBeRebuilt, missingTables } from '../sql/existing-tables.ts'
import { ask, countOf, fragment } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import { type DoctorFinding, type ReportFinding, rebuild, restoreBackup, saveWhatCanBeRead } from './finding.ts'

/** The engine's own check of pages and indexes. */
const complaints: Record<Engine, (snapshot: Snapshot) => Promise<string[]>> = {
  async sqlite(snapshot) {
    const found = await ask<{ integrity_check: string }>(snapshot, fragment`pragma integrity_check(20)`)
    return found.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  },
  async postgres(snapshot) {
    const invalid = await ask<{ name: string }>(
      snapshot,
      fragment`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
        where c.relnamespace = current_schema()::regnamespace and not (i.indisvalid and i.indisready)`,
    )
    const sums = await ask<{ failures: number | null }>(
      snapshot,
      fragment`select checksum_failures as failures from pg_stat_database where datname = current_database()`,
    )
    const failures = sums[0]?.failures ?? 0
    return [
      ...invalid.map(({ name }) => `the index ${name} is not valid`),
      ...(failures > 0 ? [`the server has met ${failures} pages with a wrong checksum`] : []),
    ]
  },
}

/** Tells whether the engine finds its own structures sound; if not, no other answer of it can be relied on. */
export async function checkEngine(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  found: ReportFinding,
): Promise<boolean> {
  const lines = await complaints[engine](snapshot)
  for (const line of lines) {
    found({ what: `The database is damaged: ${line}`, mend: saveWhatCanBeRead, alike: 'damages of the database' })
  }
  return lines.length === 0
}

/** Tables that this release needs; without one of them nothing else can be asked. */
export async function checkTables(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  found: ReportFinding,
): Promise<boolean> {
  const missing = await missingTables(snapshot, { engine })
  const isAllRebuilt = missing.every(canBeRebuilt)
  const mend = isAllRebuilt ? rebuild : restoreBackup
  for (const name of missing) found({ what: `The table ${name} is not there`, mend })
  return missing.length === 0
}

const sqliteDamages = [10, 11, 26]

/** True for damage of disk or file, as opposed to a bug. */
export function isDamage(error: unknown): boolean {
  if (error instanceof CannotOpen && error.cause !== undefined) return isDamage(error.cause)
  const code = sqliteCode(error)
  return code === null ? /^(XX|58)/.test(postgresCode(error) ?? '') : sqliteDamages.includes(code & 0xff)
}

/** Resolves if the database can be read. */
export async function readsWell(snapshot: Snapshot): Promise<void> {
  await ask(snapshot, fragment`select version from migration limit 1`)
}

/**
 * Resolves if the database can be written: changes a row there and back, so that nothing changes but the disk. SQLite writes
 * nothing for a row that is given the values it has.
 */
export async function writesWell(tx: Transaction): Promise<void> {
  await ask(tx, fragment`update migration set applied = applied + 1 where version = 1`)
  await ask(tx, fragment`update migration set applied = applied - 1 where version = 1`)
}

/** Reads every photo and file to its last byte. */
export async function checkBytes(snapshot: Snapshot, found: ReportFinding, report: Report): Promise<void> {
  const total = await countOf(snapshot, 'blob')
  let done = 0
  for await (const hash of blobHashes(snapshot)) {
    const sum = createHash('sha256')
    for await (const chunk of chunksOf(snapshot, hash)) sum.update(chunk)
    if (sum.digest('hex') !== hash) found(changed(await nameOf(snapshot, hash)))
    done += 1
    report('photos and files', done, total)
  }
  const sizes = await ask<{ id: number; name: string }>(
    snapshot,
    fragment`select file.id, file.name from file join blob on blob.sha256 = file.sha256
      where file.size <> blob.size`,
  )
  for (const { id, name } of sizes)
    found({
      what: `File ${id} (${name}) is not as long as it was`,
      mend: restoreBackup,
      alike: 'files that are not as long as they were',
    })
}

const changed = (bytes: string): DoctorFinding => ({
  what: `The bytes of ${bytes} are not those that were recorded`,
  mend: restoreBackup,
  alike: 'files whose bytes are not those that were recorded',
})

async function nameOf(snapshot: Snapshot, hash: string): Promise<string> {
  const files = await someFiles(snapshot, { hash })
  const names = files.map(({ id, name }) => `file ${id} (${name})`).join(', ')
  return names === '' ? hash : names
}

const someFiles = prepared((snapshot, { hash }: { readonly hash: string }) =>
  snapshot.selectFrom('file').select(['id', 'name']).where('sha256', '=', hash).limit(3),
)

const mebibyte = 1024 * 1024

/** Below this a server may soon be unable to write. */
export const leastFreeBytes = 256 * mebibyte

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Permissions, free space, and leftovers of interrupted work. */
export async function checkDataDirectory(directory: string, least: number, found: ReportFinding): Promise<void> {
  const there = await stat(directory).catch(() => null)
  if (!there?.isDirectory()) return
  const { mode } = there
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const rights = (mode & 0o777).toString(8)
    found({
      what: `Other users of this machine may look into ${directory} (its rights are ${rights})`,
      mend: `chmod 700 '${directory}'`,
    })
  }
  const free = await freeBytes(directory)
  if (free < least) {
    const [have, want] = [free, least].map((bytes) => Math.floor(bytes / mebibyte))
    found({
      what: `Only ${have} MiB are free for ${directory}, less than ${want}`,
      mend: 'make room on that disk',
    })
  }
  for (const name of await readdir(directory)) {
    if (!/^restoring-|\.partial$/.test(name)) continue
    const path = join(directory, name)
    found({
      what: `${path} was left behind by work that did not end`,
      mend: 'delete it if no restore is running',
      alike: 'files and folders that were left behind',
    })
  }
}
