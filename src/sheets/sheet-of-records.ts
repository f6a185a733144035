import type { Caller } from '../access/caller.ts'
import type { RecordType, RecordTypeName } from '../farm/farm.ts'
import { fieldsOfBundle, olderFarm, olderFields } from '../farm/fields-of.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { textKey } from '../fields/key.ts'
import { shown } from '../fields/place.ts'
import type { SheetFormatName } from '../formats/file-formats.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import type { RecordFilter } from '../records/finding/filter.ts'
import { searchFor } from '../records/finding/find.ts'
import type { PageRequest } from '../records/finding/paging.ts'
import { foundRecords } from '../records/finding/record-stream.ts'
import type { Records } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { readEdition, requireEdition } from '../storage/farm-state.ts'
import { presentBundles } from '../storage/records/record-lookup.ts'
import { readFarmSettings } from '../storage/settings.ts'
import { extrasOf, queriedTime, queriedType, sortingIn, sortingOf } from '../wire-1x/list-query.ts'
import { addressOfFile } from '../wire-1x/record-documents.ts'
import { listFilters } from '../wire-1x/report-figures.ts'
import {
  chosenColumns,
  columnsNamed,
  columnsOf,
  labelledIn,
  repeatedIn,
  requireRepeated,
  type ShownFields,
} from './columns.ts'
import { aboutTheList, refuseFilters, sheetQueryIn } from './sheet-query.ts'
import { csvPieces, headOf, type SheetOutput, type SheetPiece } from './write-sheet.ts'
import { workbookPieces, workbookTemplate } from './write-workbook.ts'

interface SheetRequest {
  readonly caller: Caller
  readonly type: RecordTypeName
  /** The base URL of the farm, for links to files. */
  readonly base: string
  readonly entries: readonly QueryEntry[]
  readonly format: SheetFormatName
}

/** How sheets of each format are written. */
export const sheetWriters = { csv: csvPieces, xlsx: workbookPieces } as const satisfies Readonly<
  Record<SheetFormatName, unknown>
>

interface WrittenSheet {
  /** The name of the file: the only bundle in it, or the resource. */
  readonly name: string
  readonly zone: string
  readonly pieces: AsyncIterable<SheetPiece>
}

/** A list of records as a sheet: a question that makes sense, for any snapshot. */
export function sheetOfRecords(installation: Records, { caller, type, base, entries, format }: SheetRequest) {
  const { farm, edition } = installation
  const recordType = farm.records[type]
  const { fields, refs, times, decimal, language: asked, ...layout } = sheetQueryIn(entries)
  const listed = aboutTheList(entries)
  const time = queriedTime(recordType, listed, installation.clock())
  const extras = extrasOf(recordType, listed, 'link')
  return async (snapshot: Snapshot): Promise<WrittenSheet> => {
    requireEdition(installation, await readEdition(snapshot))
    const known = await queriedType(snapshot, farm, { type, entries: listed })
    const filters = await listFilters(snapshot, installation, { known, entries: listed })
    const sorting = sortingIn(known, sortingOf(listed))
    const search = (paging: PageRequest) => searchFor(installation, caller, { type, filters, sorting, ...paging })
    const shown = shownOlder(recordType)
    const narrowed = bundlesAsked(recordType, filters)
    const bundles = narrowed ?? Object.keys(olderFarm(farm, await presentBundles(snapshot)).records[type].bundles)
    const { timezone: zone, language } = await readFarmSettings(snapshot)
    const chosen = chosenColumns(
      { type: recordType, edition, shown: (bundles.length === 0 ? [''] : bundles).map(shown), rows: layout.rows },
      { fields, with: extras.with },
    )
    const speaks = asked ?? language
    const columns = layout.head === 'label' && asked !== undefined ? await labelledIn(asked, chosen) : chosen
    const sheet: SheetOutput = {
      ...layout,
      farm,
      format,
      language: speaks,
      time,
      columns,
      shown,
      form: { times, refs, zone, decimal, language: speaks },
      fileNamed: (file) => addressOfFile(base, file),
    }
    const name = narrowed?.length === 1 ? String(narrowed[0]) : resourceNames[type]
    return { name, zone, pieces: sheetWriters[format](snapshot, sheet, foundRecords(snapshot, { type, time, search })) }
  }
}

/** The 1.x fields of each bundle. */
const shownOlder =
  (type: RecordType) =>
  (bundle: string): ShownFields =>
    olderFields(fieldsOfBundle(type, bundle))

/** The bundles that the filters allow; undefined if any. */
function bundlesAsked(type: RecordType, filters: readonly RecordFilter[]): readonly string[] | undefined {
  const bundleFilter = filters.find(({ path, operator }) => path === type.bundleName && operator === 'eq')
  if (bundleFilter === undefined || bundleFilter.values.some(({ is }) => is !== 'value')) return undefined
  const keys = bundleFilter.values.map((one) => textKey(one.is === 'value' ? String(one.value) : ''))
  return Object.keys(type.bundles).filter((name) => keys.includes(textKey(name)))
}

interface TemplateRequest {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly entries: readonly QueryEntry[]
  readonly format: SheetFormatName
}

/** An empty sheet to be filled in with records of one type: its head, and nothing else. */
export function sheetTemplate(installation: Records, { type, bundle, entries, format }: TemplateRequest) {
  const { fields, rows: asked, language, ...layout } = sheetQueryIn(entries)
  refuseFilters(entries)
  return async (snapshot: Snapshot): Promise<Buffer> => {
    const older = olderFarm(installation.farm, await presentBundles(snapshot)).records[type]
    if (!Object.hasOwn(older.bundles, bundle)) {
      const known = Object.keys(older.bundles).join(', ')
      throw new Refusal('not-found', `There is no ${older.bundleName} ${shown(bundle)}: it is one of ${known}.`)
    }
    const fieldsShown = shownOlder(older)(bundle)
    const described = { type: older, edition: '', shown: [fieldsShown], rows: asked ?? mainPart(fieldsShown) }
    requireRepeated(described)
    const all = columnsOf(described).filter(({ isFilledIn }) => isFilledIn)
    const columns = fields === undefined ? all : [...new Set(fields.flatMap((name) => columnsNamed(all, name)))]
    if (format === 'csv') return Buffer.from(headOf({ ...layout, columns }))
    const speaks = language ?? (await readFarmSettings(snapshot)).language
    const pieces: Buffer[] = []
    for await (const piece of workbookTemplate({ ...layout, farm: installation.farm, columns, language: speaks }))
      pieces.push(piece)
    return Buffer.concat(pieces)
  }
}

/** The repeated part that gets rows of its own, so that users need not write JSON. */
function mainPart(fields: ShownFields): string | undefined {
  const sizeOf = (name: string) => {
    const field = fields.get(name)?.field
    return field?.kind === 'part' ? Object.keys(field.fields).length : 0
  }
  return repeatedIn(fields).toSorted((one, other) => sizeOf(other) - sizeOf(one))[0]
}
