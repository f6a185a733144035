import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { isWithout, recorded, signsOfRecords } from '../../src/storage/backup/replacement.ts'
import type { Database } from '../../src/storage/database.ts'
import { CannotOpen, NoFarm, placeName, type StoragePlace } from '../../src/storage/disk/cannot-open.ts'
import { lockDataDirectory } from '../../src/storage/disk/data-directory.ts'
import { hasFarmFile } from '../../src/storage/disk/lost-farm.ts'
import { serversAtWork } from '../../src/storage/heartbeat.ts'
import { openDatabase } from '../../src/storage/open.ts'
import type { NoteFormat } from './source-values.ts'

type Row = Readonly<Record<string, unknown>>

/** The parts of this farm that stay: accounts, clients and settings. */
export interface TargetFarm {
  readonly settings: readonly Row[]
  readonly accounts: readonly Row[]
  readonly clients: readonly Row[]
  readonly events: readonly Row[]
}

/** A farm's note on the reading that it came from. */
interface NotedReading {
  readonly id: string
  /** Missing on farms that moved in earlier. */
  readonly url?: string
  readonly notes: NoteFormat
}

/** The setting with that note. */
export const readingSetting = 'farmos_reading'

const nothing: TargetFarm = { settings: [], accounts: [], clients: [], events: [] }

/** The reading to resume; without an id, a finished one. */
interface SoughtReading {
  readonly id: string | undefined
  readonly url: string
  readonly how: 'anew' | 'resume'
}

/**
 * The farm to move into; `moved-in` if that reading is already here, `compared` if it was also compared. Refused while
 * a server is running.
 */
export async function inspectTargetFarm(
  place: StoragePlace,
  reading: SoughtReading,
): Promise<TargetFarm | 'moved-in' | 'compared'> {
  if (place.database === null) {
    const lock = await lockDataDirectory(place.data)
    lock.release()
    if (!hasFarmFile(place.data)) return nothing
  }
  const database = await openDatabase(place, undefined, { ifNone: 'refuse' }).catch((error) => {
    if (error instanceof NoFarm) return undefined
    throw error
  })
  if (database === undefined) return nothing
  try {
    return await readFrom(database, place, reading)
  } finally {
    await database.close()
  }
}

/** The reading that a farm came from, if any. */
export function readingNotedIn(settings: readonly Row[]): NotedReading | undefined {
  const value = settings.find(({ name }) => name === readingSetting)?.value
  return typeof value === 'string' ? JSON.parse(value) : undefined
}

const readFrom = (
  database: Database,
  place: StoragePlace,
  { id, url, how }: SoughtReading,
): Promise<TargetFarm | 'moved-in' | 'compared'> =>
  database.read(async (snapshot) => {
    const [server] = database.engine === 'postgres' ? await serversAtWork(snapshot) : []
    if (server !== undefined)
      throw new CannotOpen(
        `A server is using ${placeName(place)}: process ${server.pid} on ${server.host}. Stop it first.`,
      )
    const settings = await rowsOf(snapshot, 'setting')
    const noted = readingNotedIn(settings)
    if (noted !== undefined && noted.id === id) return 'moved-in'
    if (noted !== undefined && id === undefined && how === 'resume' && (noted.url ?? url) === url) return 'compared'
    if (!(await isWithout(snapshot, database, signsOfRecords))) throw recorded(placeName(place))
    return {
      settings: settings.filter(({ name }) => name !== readingSetting),
      accounts: await rowsOf(snapshot, 'account'),
      clients: await rowsOf(snapshot, 'client'),
      events: await rowsOf(snapshot, 'access_event'),
    }
  })
