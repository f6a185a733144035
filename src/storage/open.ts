import { join } from 'node:path'
import { type Clock, wallClock } from '../clock.ts'
import { copyBeforeUpgrade } from './backup/before-upgrade.ts'
import type { Database, Snapshot } from './database.ts'
import { CannotOpen, NoFarm, placeName, type StoragePlace } from './disk/cannot-open.ts'
import { ensureDataDirectory, isOnReadOnlyFileSystem, makeWritable, openToRead } from './disk/data-directory.ts'
import { refuseLostFarm } from './disk/lost-farm.ts'
import { migrate, refuseForgottenVersion } from './migrate.ts'
import { newest } from './migrations/migrations.ts'
import type { Report } from './report.ts'
import { missingTables, schemaVersion } from './sql/existing-tables.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export type { StoragePlace }

export interface OpenOptions {
  readonly report?: Report
  /** Called with the place of the copy made before a migration. */
  readonly kept?: (copy: string) => void
  /** Called with the place of a new farm. */
  readonly made?: (place: string) => void
  /** Behaviour if there are no tables yet. */
  readonly ifNone?: 'create' | 'refuse'
  /** Behaviour if tables are missing, so that migrations cannot run. */
  readonly ifIncomplete?: 'refuse' | 'open-as-it-is'
}

/** Opens the database with its tables up to date. Throws CannotOpen with words for the operator. */
export async function openDatabase(
  place: StoragePlace,
  clock: Clock = wallClock,
  { report = () => {}, kept = () => {}, made = () => {}, ifNone = 'create', ifIncomplete = 'refuse' }: OpenOptions = {},
): Promise<Database> {
  const path = join(place.data, 'farm.sqlite')
  const canOnlyBeRead = place.database === null && ifNone === 'refuse' && isOnReadOnlyFileSystem(path)
  const database = canOnlyBeRead ? openToRead(path) : await openEngine(place)
  try {
    if (ifNone === 'refuse') await requireTables(place, database)
    if (canOnlyBeRead && (await database.read((snapshot) => schemaVersion(snapshot, database))) === newest)
      return database
    if (ifIncomplete === 'open-as-it-is' && (await database.read((snapshot) => isIncomplete(snapshot, database))))
      return database
    const found = await migrate(database, clock, {
      report,
      beforeUpgrade: async (from) => kept(await copyBeforeUpgrade(place, database, { clock, from, report })),
    })
    if (found === 0) made(placeName(place))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function requireTables(place: StoragePlace, database: Database): Promise<void> {
  const version = await database.read(async (snapshot) => {
    const found = await schemaVersion(snapshot, database)
    if (found === 0) await refuseForgottenVersion(snapshot, database)
    return found
  })
  if (version > 0) return
  const named = place.database === null ? '--data' : 'FURROW_DATABASE or --database'
  throw new NoFarm(placeName(place), named)
}

async function isIncomplete(snapshot: Snapshot, database: Database): Promise<boolean> {
  const version = await schemaVersion(snapshot, database)
  return version > 0 && version < newest && (await missingTables(snapshot, database)).length > 0
}

async function openEngine({ data, database }: StoragePlace): Promise<Database> {
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
