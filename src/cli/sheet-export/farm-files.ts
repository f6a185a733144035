import type { Caller } from '../../access/caller.ts'
import type { RecordType, RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle, recordTypeNames } from '../../farm/fields-of.ts'
import type { RichText } from '../../fields/value.ts'
import type { SheetFormatName } from '../../formats/file-formats.ts'
import { aroundGeojson, geojsonOf } from '../../formats/geojson/write-geojson.ts'
import { geometryIn } from '../../maps/map-features.ts'
import { searchFor } from '../../records/finding/find.ts'
import type { PageRequest } from '../../records/finding/paging.ts'
import { foundRecords } from '../../records/finding/record-stream.ts'
import { quantitiesByIds } from '../../records/quantities/reading.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import { columnsOf, type OutputColumn, type ShownFields } from '../../sheets/columns.ts'
import { sheetWriters } from '../../sheets/sheet-of-records.ts'
import { type SheetOutput, sheetRows } from '../../sheets/write-sheet.ts'
import type { WrittenEntry } from '../../storage/backup/directory.ts'
import type { Snapshot } from '../../storage/database.ts'
import { atPresent } from '../../storage/farm-state.ts'
import type { StoredFile } from '../../storage/file-rows.ts'
import { presentBundles, recordPages } from '../../storage/records/record-lookup.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import type { Report } from '../../storage/report.ts'
import { filtersIn } from '../../wire-1x/filters.ts'

/** An export for people without Furrow. All files are of one snapshot. */
export interface FarmInSheets {
  readonly snapshot: Snapshot
  readonly records: Records
  readonly caller: Caller
  readonly zone: string
  readonly report: Report
  readonly photos: Photos
  readonly format: SheetFormatName
}

export interface ExportedFile extends WrittenEntry {
  /** Its line in the README of the export. */
  readonly about: string
  /** Number of items in the file, once it is written. */
  readonly count: () => number
  readonly form: 'sheet' | 'map' | 'photo'
  /** The bytes do not match the recorded checksum. */
  readonly isDamaged?: boolean
}

/** Names of exported photos and files: each is named after the first record that shows it. */
export class Photos {
  readonly #named = new Map<number, string>()

  get ids(): readonly number[] {
    return [...this.#named.keys()]
  }

  note(file: number, record: string): void {
    if (!this.#named.has(file)) this.#named.set(file, plainName(record))
  }

  pathOf({ id, name, mime }: Pick<StoredFile, 'id' | 'name' | 'mime'>): string {
    const [, ending = (/^\w+\/(\w{1,5})$/.exec(mime) ?? [])[1] ?? 'bin'] = /\.(\w{1,10})$/.exec(name) ?? []
    return `files/${this.#named.get(id) || 'file'}-${id}.${ending.toLowerCase()}`
  }
}

/** Letters and digits of every script, without characters that file systems refuse. */
const plainName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

const folders = { log: 'logs', asset: 'assets', term: 'terms' } as const

/** A sheet for each bundle with records, and one for all quantities. */
export async function* recordFiles(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  const { snapshot, records } = whole
  const present = [...(await presentBundles(snapshot))].map((word) => word.split(' '))
  for (const type of recordTypeNames) {
    const recordType = records.farm.records[type]
    for (const [, bundle = ''] of present.filter(([name]) => name === type).toSorted()) {
      const shown = everyField(recordType)
      const columns = everyColumn(recordType, records.edition, [shown(bundle)])
      yield sheetFile(whole, recordsIn(whole, type, bundle), {
        name: `${folders[type]}/${bundle}.${whole.format}`,
        about: recordType.bundles[bundle]?.plural ?? `${bundle} (of a module that is not installed)`,
        columns,
        shown,
      })
    }
  }
  yield quantityFile(whole)
}

function recordsIn(
  whole: FarmInSheets,
  type: RecordTypeName,
  bundle?: string,
): AsyncGenerator<readonly StoredRecord[]> {
  const { snapshot, records, caller } = whole
  const entries = bundle === undefined ? [] : [{ name: 'bundle', brackets: [], value: bundle }]
  const filters = filtersIn(records, records.farm.records[type], entries)
  const sorting = { path: undefined, direction: 'asc' } as const
  const search = (paging: PageRequest) => searchFor(records, caller, { type, filters, sorting, ...paging })
  return foundRecords(snapshot, { type, time: atPresent(records.clock()), search })
}

interface SheetDescription extends Pick<ExportedFile, 'name' | 'about'> {
  readonly columns: readonly OutputColumn[]
  readonly shown: (bundle: string) => ShownFields
}

function sheetFile(
  whole: FarmInSheets,
  records: AsyncIterable<readonly StoredRecord[]>,
  described: SheetDescription,
): ExportedFile {
  const { name, about } = described
  const sheet = sheetOf(whole, described)
  let count = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const pieces = sheetWriters[whole.format](whole.snapshot, sheet, notingPhotos(whole, records))
    for await (const { bytes: piece, rows } of pieces) {
      count += rows
      if (whole.format === 'xlsx' && count >= mostRowsOfWorkbook)
        throw new Refusal('too-large', `${name} would have more rows than a workbook takes: export the farm as CSV.`)
      whole.report(name, count, 0)
      yield typeof piece === 'string' ? Buffer.from(piece) : piece
    }
  }
  return { name, about, form: 'sheet', bytes: bytes(), count: () => count }
}

/** With its row of headers. */
const mostRowsOfWorkbook = 1_048_576

const sheetOf = (
  whole: FarmInSheets,
  { columns, shown }: Pick<SheetDescription, 'columns' | 'shown'>,
): SheetOutput => ({
  farm: whole.records.farm,
  time: atPresent(whole.records.clock()),
  columns,
  shown,
  rows: undefined,
  head: 'name',
  format: whole.format,
  language: 'en',
  separator: ',',
  mark: 'with a byte order mark',
  form: { times: 'iso', refs: 'name', zone: whole.zone },
  fileNamed: (file) => whole.photos.pathOf(file),
})

/** Names every photo and file before a sheet refers to it. */
async function* notingPhotos(
  { records: { farm }, photos }: FarmInSheets,
  pages: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<readonly StoredRecord[]> {
  for await (const page of pages) {
    for (const record of page) {
      for (const [name, field] of Object.entries(fieldsOfBundle(farm.records[record.type], record.bundle))) {
        if (field.kind !== 'attachment') continue
        for (const id of (record.values[name] ?? []) as readonly number[]) photos.note(id, nameOf(record) ?? '')
      }
    }
    yield page
  }
}

/** All quantities, also those without a log. */
function quantityFile(whole: FarmInSheets): ExportedFile {
  const type = whole.records.farm.records.quantity
  const shown = everyField(type)
  const ofLog: OutputColumn = {
    name: 'log',
    label: 'Log',
    of: 'log',
    cellIn: ({ record }) => (record.log === undefined ? '' : String(record.log)),
  }
  const [id, ...others] = everyColumn(type, whole.records.edition, Object.keys(type.bundles).map(shown))
  return sheetFile(whole, quantityPages(whole), {
    name: `quantities.${whole.format}`,
    about: 'Every quantity, with the number of the log that has it; one without waits for its log',
    columns: [...(id === undefined ? [] : [id]), ofLog, ...others],
    shown,
  })
}

async function* quantityPages({ snapshot }: FarmInSheets): AsyncGenerator<readonly StoredRecord[]> {
  for await (const page of recordPages((work) => work(snapshot), 'quantity')) {
    const found = await quantitiesByIds(
      snapshot,
      page.map(({ id }) => id),
    )
    yield [...found.values()].map(({ log, ...quantity }) => ({ ...quantity, ...(log === null ? {} : { log }) }))
  }
}

/** Every field of a bundle under its own name, including fields that only one interface shows. */
const everyField =
  (type: RecordType) =>
  (bundle: string): ShownFields =>
    new Map(Object.entries(fieldsOfBundle(type, bundle)).map(([own, field]) => [own, { own, field }]))

/** Every stored column: including text formats, and fields of modules no longer installed. */
function everyColumn(type: RecordType, edition: string, shown: readonly ShownFields[]): readonly OutputColumn[] {
  const columns = columnsOf({ type, edition, shown, rows: undefined })
  const rich = new Set(
    shown.flatMap((fields) => [...fields].flatMap(([name, { field }]) => (field.kind === 'rich-text' ? [name] : []))),
  )
  return [
    ...columns.flatMap((column) => (rich.has(column.name) ? [column, formatOf(column)] : [column])),
    unknownFields,
  ]
}

const formatOf = ({ name, label }: OutputColumn): OutputColumn => ({
  name: `${name}.format`,
  label: `${label}: Format`,
  of: name,
  cellIn: ({ record }) => (record.values[name] as RichText | undefined)?.format ?? '',
})

const unknownFields: OutputColumn = {
  name: 'other_fields',
  label: 'Other fields',
  of: 'other_fields',
  cellIn({ record, shown }) {
    const unknown = Object.entries(record.values).filter(([name]) => !shown.has(name))
    return unknown.length === 0 ? '' : JSON.stringify(Object.fromEntries(unknown))
  },
}

/** Maps of every record with a geometry. */
export function* mapFiles(whole: FarmInSheets): Generator<ExportedFile> {
  const { term } = whole.records.farm.records
  for (const [bundle, { plural, kinds }] of Object.entries(term.bundles)) {
    if (kinds === undefined) continue
    const about = `${plural} that have a shape`
    yield mapFile(whole, { type: 'term', name: 'maps/areas.geojson', about }, recordsIn(whole, 'term', bundle))
  }
  for (const [type, name] of [
    ['asset', 'assets'],
    ['log', 'logs'],
  ] as const) {
    const about = type === 'asset' ? 'Assets that are somewhere' : 'Logs that have a shape, or moved something to one'
    yield mapFile(whole, { type, name: `maps/${name}.geojson`, about }, recordsIn(whole, type))
  }
}

interface MapDescription extends Pick<ExportedFile, 'name' | 'about'> {
  readonly type: RecordTypeName
}

function mapFile(
  whole: FarmInSheets,
  { type, name, about }: MapDescription,
  records: AsyncIterable<readonly StoredRecord[]>,
): ExportedFile {
  const recordType = whole.records.farm.records[type]
  const shown = everyField(recordType)
  const columns = everyColumn(recordType, whole.records.edition, Object.keys(recordType.bundles).map(shown))
  const sheet = sheetOf(whole, { columns, shown })
  const shownColumns = columns.filter(({ kind }) => kind !== 'geometry')
  const { before, between, behind } = aroundGeojson
  let count = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(before)
    for await (const { rows, form } of sheetRows(whole.snapshot, sheet, records)) {
      for (const row of rows) {
        const geometry = geometryIn(row.shown, { ...row.record.values, ...row.computed })
        if (geometry === null) continue
        const cells = shownColumns.map((column) => [column.name, column.cellIn(row, form)] as const)
        const properties = new Map(cells.filter(([, cell]) => cell !== ''))
        yield Buffer.from((count === 0 ? '' : between) + geojsonOf({ geometry, properties }))
        count += 1
      }
      whole.report(name, count, 0)
    }
    yield Buffer.from(behind)
  }
  return { name, about, form: 'map', bytes: bytes(), count: () => count }
}
