import type { Clock } from '../../clock.ts'
import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import type { Report, Source } from '../../storage/backup/entry.ts'
import { takeIn } from '../../storage/backup/incoming.ts'
import { withoutIndexes } from '../../storage/backup/indexes.ts'
import type { Manifest } from '../../storage/backup/manifest.ts'
import {
  countRecordsOf,
  endStays,
  insertRebuilt,
  rebuiltTables,
  recordPages,
} from '../../storage/backup/rebuilt-rows.ts'
import { replaceFarm } from '../../storage/backup/replace-farm.ts'
import type { Wish } from '../../storage/backup/replacement.ts'
import { carriedTables } from '../../storage/backup/table-fates.ts'
import { countAnew } from '../../storage/backup/tallies.ts'
import { checked, verify } from '../../storage/backup/verification.ts'
import type { Database } from '../../storage/database.ts'
import { migrate, newest } from '../../storage/migrate.ts'
import type { Place } from '../../storage/place.ts'
import { rebuiltFrom } from './rebuilt.ts'
import { unknownIn } from './unknown-records.ts'

export interface Move extends Pick<Wish, 'ifOccupied'> {
  readonly place: Place
  readonly farm: Farm
  readonly clock: Clock
  readonly report: Report
  /** What to do with records of a module that is not installed. Kept ones cannot be found by the fields of the module. */
  readonly ifUnknown: 'refuse' | 'keep'
}

export interface Arrived {
  readonly manifest: Manifest
  /** Where the farm is kept that was there before. */
  readonly aside: string | null
}

/** Verifies a backup or an export to its last byte, and only then makes it the farm of this place. */
export async function moveIn(source: Source, move: Move): Promise<Arrived> {
  const { place, clock, report } = move
  const manifest = await verify(source, report)
  if (manifest.schema > newest || manifest.schema < 1) {
    throw new Refusal(
      'invalid-content',
      `${source.name} was made by a newer Furrow (version ${manifest.schema} of the tables; this one knows up to ${newest}).`,
    )
  }
  const aside = await replaceFarm(place, move, async (fresh) => {
    await migrate(fresh, clock, { upTo: manifest.schema })
    const carried = carriedTables.map(([table]) => table)
    const entries = checked(source, () => {})
    await withoutIndexes(fresh, { tables: carried, report }, () => takeIn(fresh, entries, { manifest, report }))
    await migrate(fresh, clock, { report })
    await withoutIndexes(fresh, { tables: rebuiltTables, report }, () => rebuild(fresh, move))
    report('putting the farm in its place', 0, 0)
  })
  return { manifest, aside }
}

const types: readonly RecordTypeName[] = ['taxonomy_term', 'farm_asset', 'log']

/** Works out everything that follows from the records: index, timelines, inventory. */
async function rebuild(database: Database, { farm, report, ifUnknown }: Move): Promise<void> {
  const unknown = new Set<string>()
  for (const type of types) {
    const total = await database.read((rows) => countRecordsOf(rows, type))
    let done = 0
    for await (const page of recordPages(database.read, type)) {
      const rebuilt = page.map((record) => rebuiltFrom(farm, record))
      for (const record of page) noteUnknown(unknown, unknownIn(farm, record))
      await database.write((rows) => insertRebuilt(rows, rebuilt))
      done += page.length
      report(`index of ${type}`, done, total)
    }
  }
  report('ends of stays, and counts', 0, 0)
  await database.write(async (rows) => {
    await endStays(rows)
    await countAnew(rows)
  })
  if (unknown.size > 0 && ifUnknown === 'refuse') throw strangers([...unknown])
}

const noteUnknown = (unknown: Set<string>, name: string | null): void => {
  if (name !== null) unknown.add(name)
}

const strangers = (names: readonly string[]): Refusal =>
  new Refusal(
    'invalid-content',
    `No installed module knows ${names.slice(0, 10).join(', ')}. Give the farm's modules with --module, or take the ` +
      'records in as they are with --keep-unknown. Nothing was changed.',
  )
