import { join } from 'node:path'
import { type Clock, wallClock } from '../clock.ts'
import { copyBeforeUpgrade } from './backup/before-upgrade.ts'
import { CannotOpen, NoFarm } from './cannot-open.ts'
import { ensureDataDirectory } from './data-directory.ts'
import type { Database, Reading } from './database.ts'
import { schemaVersion } from './existing-tables.ts'
import { refuseLostFarm } from './lost-farm.ts'
import { migrate, refuseForgottenVersion } from './migrate.ts'
import { newest } from './migrations/migrations.ts'
import { missingTables } from './missing-tables.ts'
import { makeWritable } from './ownership.ts'
import { type Place, placeName } from './place.ts'
import { isOnReadOnlyFileSystem, openToRead } from './read-only.ts'
import type { Report } from './report.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export type { Place }

export interface Opening {
  readonly report?: Report
  /** Told where the farm is kept as it was before its tables were changed. */
  readonly kept?: (copy: string) => void
  /** Told where a farm was made that was not there before. */
  readonly made?: (place: string) => void
  /** What to do where there are no tables yet. */
  readonly ifNone?: 'create' | 'refuse'
  /** What to do where some tables are missing, so that the others cannot be brought up to date. */
  readonly ifIncomplete?: 'refuse' | 'open-as-it-is'
}

/** Opens the database with its tables up to date. Throws CannotOpen with words for the operator. */
export async function openDatabase(
  place: Place,
  clock: Clock = wallClock,
  { report = () => {}, kept = () => {}, made = () => {}, ifNone = 'create', ifIncomplete = 'refuse' }: Opening = {},
): Promise<Database> {
  const path = join(place.data, 'farm.sqlite')
  const canOnlyBeRead = place.database === null && ifNone === 'refuse' && isOnReadOnlyFileSystem(path)
  const database = canOnlyBeRead ? openToRead(path) : await openEngine(place)
  try {
    if (ifNone === 'refuse') await requireTables(place, database)
    if (canOnlyBeRead && (await database.read((rows) => schemaVersion(rows, database))) === newest) return database
    if (ifIncomplete === 'open-as-it-is' && (await database.read((rows) => isIncomplete(rows, database))))
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

async function requireTables(place: Place, database: Database): Promise<void> {
  const version = await database.read(async (rows) => {
    const found = await schemaVersion(rows, database)
    if (found === 0) await refuseForgottenVersion(rows, database)
    return found
  })
  if (version > 0) return
  const named = place.database === null ? '--data' : 'FURROW_DATABASE or --database'
  throw new NoFarm(placeName(place), named)
}

async function isIncomplete(rows: Reading, database: Database): Promise<boolean> {
  const version = await schemaVersion(rows, database)
  return version > 0 && version < newest && (await missingTables(rows, database)).length > 0
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
