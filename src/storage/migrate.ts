import type { Clock } from '../clock.ts'
import type { Database, Snapshot, Transaction } from './database.ts'
import { CannotOpen } from './disk/cannot-open.ts'
import { Ddl } from './migrations/ddl.ts'
import { migrationsBetween, newest } from './migrations/migrations.ts'
import type { Report } from './report.ts'
import { holdAlone } from './sql/advisory-locks.ts'
import { areNotThere, canBeRebuilt, existingTables, missingTables, newestMigration } from './sql/existing-tables.ts'
import { ask, fragment, word } from './sql/fragment.ts'
import { insertAll } from './sql/insertion.ts'
import { tableNames } from './sql/table-fates.ts'

type Migratable = Pick<Database, 'engine' | 'write'>

interface MigrateOptions {
  /** The version to stop at. */
  readonly upTo?: number
  readonly report?: Report
  /** Called before the tables of a farm that is in use are changed. */
  readonly beforeUpgrade?: (from: number) => Promise<void>
}

/** Brings the tables up to date, and answers the version they had before, 0 where there were none. Safe when several nodes or commands start at once: whoever comes second finds it done. */
export async function migrate(
  database: Migratable,
  clock: Clock,
  { upTo = newest, report = () => {}, beforeUpgrade }: MigrateOptions = {},
): Promise<number> {
  const found = await database.write(async (tx) => {
    const version = await versionOf(tx)
    if (version === 0) await refuseForgottenVersion(tx, database)
    else if (version < upTo) await refuseMissingTables(tx, database)
    return version
  })
  if (found > newest) {
    throw new CannotOpen(
      `The database was made by a newer Furrow (version ${found}); this one knows up to ${newest}. ` +
        'Install the newer release or restore a backup.',
    )
  }
  if (found > 0 && found < upTo) await beforeUpgrade?.(found)
  if (found >= upTo) return found
  if (found > 0) report(`changing the tables from version ${found} to ${upTo}`, 0, 0)
  // All in one: nobody ever sees a farm between two versions, not even one that is started at the same moment.
  await database.write(async (tx) => {
    for (const migration of migrationsBetween(await versionOf(tx), upTo)) {
      const ddl = new Ddl(database.engine, (statement) => ask(tx, word(statement)))
      await migration.up(ddl, report)
      const { version, name } = migration
      await insertAll(tx, 'migration', [{ version, name, applied: clock() }])
    }
  })
  return found
}

/** Tables of a farm that does not know any more which release made them cannot be brought up to date. */
export async function refuseForgottenVersion(snapshot: Snapshot, { engine }: Pick<Database, 'engine'>): Promise<void> {
  const there = await existingTables(snapshot, engine)
  const left = tableNames.filter((name) => name !== 'migration' && there.has(name))
  if (left.length === 0) return
  throw new CannotOpen(
    `The table migration is not there, or empty, but ${left.length} other tables of a farm are: nobody can say which release they are of. ` +
      'Restore the last backup with `furrow restore FILE --replace`, which keeps these tables aside.',
  )
}

/** A farm that is not whole is left as it is: what a migration changes may be what is missing. */
async function refuseMissingTables(snapshot: Snapshot, { engine }: Pick<Database, 'engine'>): Promise<void> {
  const missing = await missingTables(snapshot, { engine })
  if (missing.length === 0) return
  const advice = missing.every(canBeRebuilt)
    ? 'Run `furrow backup FILE` and then `furrow restore FILE --replace`, which rebuilds what is missing.'
    : 'Restore the last backup from before the damage with `furrow restore FILE --replace`, which keeps this farm aside.'
  throw new CannotOpen(
    `${areNotThere(missing)}, so that this release cannot bring the tables of the farm up to date. ${advice} Nothing was changed.`,
  )
}

/** Holds off other migrating nodes until the transaction ends. */
async function versionOf(tx: Transaction): Promise<number> {
  // Another node may take long to bring a large farm up to date.
  if (tx.engine === 'postgres') await ask(tx, word('set local lock_timeout = 0'))
  await holdAlone(tx, 'migrations')
  await ask(
    tx,
    fragment`create table if not exists "migration"
      ("version" integer primary key, "name" text not null, "applied" bigint not null)`,
  )
  return newestMigration(tx)
}
