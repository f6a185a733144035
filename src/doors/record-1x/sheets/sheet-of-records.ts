import type { Caller } from '../../../access/caller.ts'
import type { RecordType, RecordTypeName } from '../../../farm/farm.ts'
import { fieldsOfBundle } from '../../../farm/fields-of.ts'
import { olderFarm } from '../../../farm/older-farm.ts'
import { olderFields } from '../../../farm/older-fields.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { textKey } from '../../../fields/key.ts'
import type { Filter } from '../../../records/finding/filter.ts'
import { searchFor } from '../../../records/finding/find.ts'
import type { PageRequest } from '../../../records/finding/paging.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { readEdition, requireEdition } from '../../../storage/edition.ts'
import { presentBundles } from '../../../storage/records/all-records.ts'
import { readTimezone } from '../../../storage/settings.ts'
import type { QueryEntry } from '../../http/query.ts'
import { timeAsked } from '../intake/as-of.ts'
import { filtersAsked } from '../intake/filters-asked.ts'
import { extrasOf, sortingOf } from '../intake/list-options.ts'
import { sortingIn } from '../intake/sorting.ts'
import { typeAsked } from '../intake/type-asked.ts'
import { addressOfFile } from '../wire/file-texts.ts'
import { chosenColumns } from './chosen-columns.ts'
import type { ShownFields } from './columns.ts'
import { foundRecords } from './found-records.ts'
import { type Lines, type Sheet, sheetLines } from './sheet.ts'
import { aboutTheList, sheetAskedIn } from './sheet-query.ts'

interface Asking {
  readonly caller: Caller
  readonly type: RecordTypeName
  /** The address of the farm, under which its files are found. */
  readonly base: string
  readonly entries: readonly QueryEntry[]
}

interface WrittenSheet {
  /** What it can be called: the only type that it has records of, or the resource. */
  readonly name: string
  readonly zone: string
  readonly lines: AsyncIterable<Lines>
}

/** A list of records as a sheet: a question that makes sense, for any snapshot. */
export function sheetOfRecords(installation: Records, { caller, type, base, entries }: Asking) {
  const { farm, edition } = installation
  const recordType = farm.records[type]
  const { fields, refs, times, ...layout } = sheetAskedIn(entries)
  const listed = aboutTheList(entries)
  const time = timeAsked(recordType, listed, installation.clock())
  const extras = extrasOf(recordType, listed, 'link')
  return async (snapshot: Snapshot): Promise<WrittenSheet> => {
    requireEdition(installation, await readEdition(snapshot))
    const known = await typeAsked(snapshot, farm, { type, entries: listed })
    const filters = await filtersAsked(snapshot, installation, { known, entries: listed })
    const sorting = sortingIn(known, sortingOf(listed))
    const search = (paging: PageRequest) => searchFor(installation, caller, { type, filters, sorting, ...paging })
    const shown = shownOlder(recordType)
    const asked = bundlesAsked(recordType, filters)
    const bundles = asked ?? Object.keys(olderFarm(farm, await presentBundles(snapshot)).records[type].bundles)
    const zone = await readTimezone(snapshot)
    const columns = chosenColumns(
      { type: recordType, edition, shown: (bundles.length === 0 ? [''] : bundles).map(shown), rows: layout.rows },
      { fields, with: extras.with },
    )
    const sheet: Sheet = {
      ...layout,
      farm,
      time,
      columns,
      shown,
      form: { times, refs, zone },
      fileNamed: (file) => addressOfFile(base, file),
    }
    const name = asked?.length === 1 ? String(asked[0]) : resourceNames[type]
    return { name, zone, lines: sheetLines(snapshot, sheet, foundRecords(snapshot, { type, time, search })) }
  }
}

/** What the record interface shows of a record of each bundle. */
export const shownOlder =
  (type: RecordType) =>
  (bundle: string): ShownFields =>
    olderFields(fieldsOfBundle(type, bundle))

/** The bundles that a list is narrowed to; undefined where it may have any. */
function bundlesAsked(type: RecordType, filters: readonly Filter[]): readonly string[] | undefined {
  const asked = filters.find(({ path, operator }) => path === type.bundleName && operator === 'eq')
  if (asked === undefined || asked.values.some(({ is }) => is !== 'value')) return undefined
  const keys = asked.values.map((one) => textKey(one.is === 'value' ? String(one.value) : ''))
  return Object.keys(type.bundles).filter((name) => keys.includes(textKey(name)))
}
