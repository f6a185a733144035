import type { Clock } from '../../clock.ts'
import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import { importRows } from '../../storage/backup/import-rows.ts'
import type { ArchiveSource, Manifest } from '../../storage/backup/manifest.ts'
import { replaceFarm } from '../../storage/backup/replace-farm.ts'
import type { ReplaceOptions } from '../../storage/backup/replacement.ts'
import { checked, verify } from '../../storage/backup/verification.ts'
import type { Database } from '../../storage/database.ts'
import type { StoragePlace } from '../../storage/disk/cannot-open.ts'
import { endAllStays } from '../../storage/history/stay-rows.ts'
import { migrate } from '../../storage/migrate.ts'
import { newest } from '../../storage/migrations/migrations.ts'
import { countAnew, forgetRebuilt, rebuiltTables, withoutUpkeep } from '../../storage/rebuilding.ts'
import { notePaths } from '../../storage/records/path.ts'
import { countRecordsOf, recordPages } from '../../storage/records/record-lookup.ts'
import type { Report } from '../../storage/report.ts'
import { carriedTables } from '../../storage/sql/table-fates.ts'
import { pathsOf } from '../record-index.ts'
import { Consequences } from './consequences.ts'

export interface FarmMove extends Pick<ReplaceOptions, 'ifOccupied'> {
  readonly place: StoragePlace
  readonly farm: Farm
  readonly clock: Clock
  readonly report: Report
  /** Treatment of records of modules that are not installed. Kept ones cannot be found by the module's fields. */
  readonly ifUnknown: 'refuse' | 'keep'
}

interface RestoredFarm {
  readonly manifest: Manifest
  /** The place of the previous farm. */
  readonly aside: string | null
}

/** Verifies a backup or an export to its last byte, and only then makes it the farm of this place. */
export async function restoreFarm(source: ArchiveSource, move: FarmMove): Promise<RestoredFarm> {
  const { place, report } = move
  const manifest = await verify(source, report)
  if (manifest.schema > newest || manifest.schema < 1) {
    throw new Refusal(
      'invalid-content',
      `${source.name} was made by a newer Furrow (version ${manifest.schema} of the tables; this one knows up to ${newest}).`,
    )
  }
  const aside = await replaceFarm(place, move, (fresh) => fillWith(source, manifest, { ...move, fresh }))
  return { manifest, aside }
}

/** Quantities are looked up by their logs while those come in. */
const carried = carriedTables.map(([table]) => table).filter((table) => table !== 'quantity')

async function fillWith(
  source: ArchiveSource,
  manifest: Manifest,
  move: FarmMove & { readonly fresh: Database },
): Promise<void> {
  const { fresh, clock, report, farm, ifUnknown } = move
  const consequences = new Consequences(farm)
  const entries = checked(source, () => {})
  const noteEndsOfStays = async () => {
    report('ends of stays', 0, 0)
    await fresh.write(endAllStays)
  }
  await migrate(fresh, clock, { upTo: manifest.schema })
  if (manifest.schema === newest) {
    await withoutUpkeep(fresh, { tables: [...carried, ...rebuiltTables], report }, async () => {
      await importRows(fresh, entries, { manifest, report, follower: consequences })
      await noteEndsOfStays()
    })
  } else {
    await withoutUpkeep(fresh, { tables: carried, report }, () => importRows(fresh, entries, { manifest, report }))
    await migrate(fresh, clock, { report })
    await withoutUpkeep(fresh, { tables: rebuiltTables, report }, async () => {
      await fresh.write(forgetRebuilt)
      await rebuild(fresh, consequences, report)
      await noteEndsOfStays()
    })
  }
  await fresh.write((tx) => notePaths(tx, pathsOf(farm)))
  await fresh.write((tx) => consequences.mend(tx))
  report('counts', 0, 0)
  await fresh.write(countAnew)
  if (ifUnknown === 'refuse') consequences.refuseUnknown()
  report('putting the farm in its place', 0, 0)
}

const types: readonly RecordTypeName[] = ['term', 'asset', 'quantity', 'log']

/** Records that another release wrote are read as they are after the migration. */
async function rebuild(database: Database, consequences: Consequences, report: Report): Promise<void> {
  for (const type of types) {
    const total = await database.read((snapshot) => countRecordsOf(snapshot, type))
    let done = 0
    for await (const page of recordPages(database.read, type)) {
      for (const record of page) consequences.see(record)
      await database.write((tx) => consequences.store(tx))
      done += page.length
      report(`index of ${type}`, done, total)
    }
  }
}
