import { join } from 'node:path'
import { type Clock, wallClock } from '../clock.ts'
import { copyBeforeUpgrade } from './backup/before-upgrade.ts'
import type { Report } from './backup/entry.ts'
import { CannotOpen } from './cannot-open.ts'
import { ensureDataDirectory } from './data-directory.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { makeWritable } from './ownership.ts'
import type { Place } from './place.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

export type { Place }

/** Opens the database with its tables up to date. Throws CannotOpen with words for the operator. */
export async function openDatabase(
  place: Place,
  clock: Clock = wallClock,
  report: Report = () => {},
): Promise<Database> {
  const database = await openEngine(place)
  try {
    await migrate(database, clock, {
      report,
      beforeUpgrade: (from) => copyBeforeUpgrade(place, database, { clock, from, report }),
    })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openEngine({ data, database }: Place): Promise<Database> {
  if (database === null) {
    ensureDataDirectory(data)
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
