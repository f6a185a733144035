import { join, resolve } from 'node:path'
import { type Clock, wallClock } from '../clock.ts'
import { schemaVersion } from './backup/asking.ts'
import { copyBeforeUpgrade } from './backup/before-upgrade.ts'
import type { Report } from './backup/entry.ts'
import { CannotOpen } from './cannot-open.ts'
import { ensureDataDirectory } from './data-directory.ts'
import type { Database } from './database.ts'
import { refuseLostFarm } from './lost-farm.ts'
import { migrate, refuseForgottenVersion } from './migrate.ts'
import { newest } from './migrations/migrations.ts'
import { makeWritable } from './ownership.ts'
import type { Place } from './place.ts'
import { isOnReadOnlyFileSystem, openToRead } from './read-only.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export type { Place }

export interface Opening {
  readonly report?: Report
  /** Told where the farm is kept as it was before its tables were changed. */
  readonly kept?: (copy: string) => void
  /** What to do where there are no tables yet. */
  readonly ifNone?: 'create' | 'refuse'
}

/** Opens the database with its tables up to date. Throws CannotOpen with words for the operator. */
export async function openDatabase(
  place: Place,
  clock: Clock = wallClock,
  { report = () => {}, kept = () => {}, ifNone = 'create' }: Opening = {},
): Promise<Database> {
  const path = join(place.data, 'farm.sqlite')
  const canOnlyBeRead = place.database === null && ifNone === 'refuse' && isOnReadOnlyFileSystem(path)
  const database = canOnlyBeRead ? openToRead(path) : await openEngine(place)
  try {
    if (ifNone === 'refuse') await requireTables(place, database)
    if (canOnlyBeRead && (await database.read((rows) => schemaVersion(rows, database))) === newest) return database
    await migrate(database, clock, {
      report,
      beforeUpgrade: async (from) => kept(await copyBeforeUpgrade(place, database, { clock, from, report })),
    })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function requireTables({ data, database: address }: Place, database: Database): Promise<void> {
  const version = await database.read(async (rows) => {
    const found = await schemaVersion(rows, database)
    if (found === 0) await refuseForgottenVersion(rows, database)
    return found
  })
  if (version > 0) return
  throw new CannotOpen(
    address === null
      ? `There is no farm in ${resolve(data)}. Say where it is with --data.`
      : `There is no farm in the database ${new URL(address).pathname.slice(1)}. Say where it is with FURROW_DATABASE or --database.`,
  )
}

async function openEngine({ data, database }: Place): Promise<Database> {
  if (database === null) {
    ensureDataDirectory(data)
    refuseLostFarm(data)
    const path = join(data, 'farm.sqlite')
    makeWritable(path)
    return openSqlite(path)
  }
  if (!/^postgres(ql)?:\/\//.test(database)) {
    throw new CannotOpen('The database address must begin with postgres://')
  }
  // Loaded only here: a farm in a file starts faster without the driver.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(database)
}
