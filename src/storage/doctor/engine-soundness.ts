import { CannotOpen } from '../cannot-open.ts'
import type { Database, Engine, Snapshot } from '../database.ts'
import { postgresCode } from '../postgres/errors.ts'
import { ask, fragment } from '../sql/fragment.ts'
import { canBeRebuilt, missingTables } from '../sql/missing-tables.ts'
import { sqliteCode } from '../sqlite/errors.ts'
import { type Found, rebuild, restoreBackup, saveWhatCanBeRead } from './finding.ts'

/** What the engine itself says about its pages and indexes. */
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
  found: Found,
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
  found: Found,
): Promise<boolean> {
  const missing = await missingTables(snapshot, { engine })
  const isAllRebuilt = missing.every(canBeRebuilt)
  const mend = isAllRebuilt ? rebuild : restoreBackup
  for (const name of missing) found({ what: `The table ${name} is not there`, mend })
  return missing.length === 0
}

const sqliteDamages = [10, 11, 26]

/** Whether an error says that the disk or the file is damaged, and not that the code is wrong. */
export function isDamage(error: unknown): boolean {
  if (error instanceof CannotOpen && error.cause !== undefined) return isDamage(error.cause)
  const code = sqliteCode(error)
  return code === null ? /^(XX|58)/.test(postgresCode(error) ?? '') : sqliteDamages.includes(code & 0xff)
}
