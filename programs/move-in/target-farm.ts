import { Refusal } from '../../src/refusal.ts'
import { rowsOf } from '../../src/storage/backup/export-rows.ts'
import { isWithout, recorded, signsOfRecords } from '../../src/storage/backup/replacement.ts'
import { latestSets } from '../../src/storage/change-set.ts'
import type { Database, Snapshot } from '../../src/storage/database.ts'
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
  /** Uids of accounts that came along with an earlier move. */
  readonly movedIn: ReadonlySet<number>
}

/** A farm's note on the reading that it came from. Farms that moved in with an earlier release have less. */
export interface NotedReading {
  readonly id: string
  readonly url?: string
  readonly notes: NoteFormat
  /** Change sets that brought records from there. */
  readonly sets?: readonly string[]
  /** Uids of accounts that came along, by their identity over there. */
  readonly accounts?: Readonly<Record<string, number>>
  /** Uids of those that are blocked over there. */
  readonly blocked?: readonly number[]
  /** Numbers that differ here: `log 12` to 40. */
  readonly numbers?: Readonly<Record<string, number>>
  /** The highest number of a file when the farm moved in. */
  readonly lastFile?: number
  /** Questions that were answered with what is here, by record: the fingerprint of what is there. */
  readonly kept?: Readonly<Record<string, string>>
  /** The last following is over: the other server is no longer in use. */
  readonly switched?: true
  /** The records were taken back. */
  readonly undone?: true
}

/** The setting with that note. */
export const readingSetting = 'farmos_reading'

const nothing: TargetFarm = { settings: [], accounts: [], clients: [], events: [], movedIn: new Set() }

/** The reading to resume; without an id, a finished one. */
interface SoughtReading {
  readonly id: string | undefined
  readonly url: string
  readonly how: 'anew' | 'resume'
  /** Moves in again where the same farm moved in before. */
  readonly again: boolean
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
  { id, url, how, again }: SoughtReading,
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
    const isEmpty = await isWithout(snapshot, database, signsOfRecords)
    if (!isEmpty && !again) throw recorded(placeName(place))
    if (!isEmpty) await refuseOwnRecords(snapshot, noted, url)
    return {
      settings: settings.filter(({ name }) => name !== readingSetting),
      accounts: await rowsOf(snapshot, 'account'),
      clients: await rowsOf(snapshot, 'client'),
      events: await rowsOf(snapshot, 'access_event'),
      movedIn: new Set(Object.values(noted?.accounts ?? {})),
    }
  })

/** Moving in again replaces every record, so nobody may have recorded anything since. */
async function refuseOwnRecords(snapshot: Snapshot, noted: NotedReading | undefined, url: string): Promise<void> {
  if (noted === undefined || (noted.url ?? url) !== url)
    throw new Refusal(
      'conflict',
      `The records here did not come from ${url}. Choose an empty place with --data or --database.`,
    )
  const sets = new Set(noted.sets ?? [])
  const own = (await latestSets(snapshot, { most: (noted.sets ?? []).length + 1 })).filter(({ id }) => !sets.has(id))
  if (own.length > 0)
    throw new Refusal(
      'conflict',
      `Somebody has recorded here since the farm moved in, and moving in again would replace that. Bring it up to date with --follow instead.`,
    )
}
