import { filtersIn } from '../../doors/record-1x/intake/filters.ts'
import type { Column, ShownFields } from '../../doors/record-1x/sheets/columns.ts'
import { foundRecords } from '../../doors/record-1x/sheets/found-records.ts'
import { type Sheet, sheetLines } from '../../doors/record-1x/sheets/sheet.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle, recordTypeNames } from '../../farm/fields-of.ts'
import { searchFor } from '../../records/finding/find.ts'
import type { PageRequest } from '../../records/finding/paging.ts'
import { quantitiesByIds } from '../../records/quantities/reading.ts'
import { atPresent } from '../../storage/history/point-in-time.ts'
import { presentBundles, recordPages } from '../../storage/records/all-records.ts'

import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { everyColumn, everyField } from './every-column.ts'
import type { ExportedFile, FarmInSheets } from './farm-in-sheets.ts'

const folders = { log: 'logs', asset: 'assets', term: 'terms' } as const

/** A sheet for each type of which there are records, and one for all quantities. */
export async function* recordFiles(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  const { snapshot, records } = whole
  const present = [...(await presentBundles(snapshot))].map((word) => word.split(' '))
  for (const type of recordTypeNames) {
    const recordType = records.farm.records[type]
    for (const [, bundle = ''] of present.filter(([name]) => name === type).toSorted()) {
      const shown = everyField(recordType)
      const columns = everyColumn(recordType, records.edition, [shown(bundle)])
      yield sheetFile(whole, recordsIn(whole, type, bundle), {
        name: `${folders[type]}/${bundle}.csv`,
        about: recordType.bundles[bundle]?.plural ?? `${bundle} (of a module that is not installed)`,
        columns,
        shown,
      })
    }
  }
  yield quantityFile(whole)
}

/** All records of a type, or of one bundle of it. */
export function recordsIn(
  whole: FarmInSheets,
  type: RecordTypeName,
  bundle?: string,
): AsyncGenerator<readonly StoredRecord[]> {
  const { snapshot, records, caller } = whole
  const asked = bundle === undefined ? [] : [{ name: 'bundle', brackets: [], value: bundle }]
  const filters = filtersIn(records, records.farm.records[type], asked)
  const sorting = { path: undefined, direction: 'asc' } as const
  const search = (paging: PageRequest) => searchFor(records, caller, { type, filters, sorting, ...paging })
  return foundRecords(snapshot, { type, time: atPresent(records.clock()), search })
}

interface Described extends Pick<ExportedFile, 'name' | 'about'> {
  readonly columns: readonly Column[]
  readonly shown: (bundle: string) => ShownFields
}

function sheetFile(
  whole: FarmInSheets,
  records: AsyncIterable<readonly StoredRecord[]>,
  described: Described,
): ExportedFile {
  const { name, about } = described
  const sheet = sheetOf(whole, described)
  let count = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const { text, rows } of sheetLines(whole.snapshot, sheet, notingPhotos(whole, records))) {
      count += rows
      whole.report(name, count, 0)
      yield Buffer.from(text)
    }
  }
  return { name, about, form: 'sheet', bytes: bytes(), count: () => count }
}

export const sheetOf = (whole: FarmInSheets, { columns, shown }: Pick<Described, 'columns' | 'shown'>): Sheet => ({
  farm: whole.records.farm,
  time: atPresent(whole.records.clock()),
  columns,
  shown,
  rows: undefined,
  head: 'name',
  separator: ',',
  mark: 'with a byte order mark',
  form: { times: 'iso', refs: 'name', zone: whole.zone },
  fileNamed: (file) => whole.photos.pathOf(file),
})

/** Gives every photo and file a name before a sheet speaks of it. */
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

/** All quantities, those of logs and those that wait for one. */
function quantityFile(whole: FarmInSheets): ExportedFile {
  const type = whole.records.farm.records.quantity
  const shown = everyField(type)
  const ofLog: Column = {
    name: 'log',
    label: 'Log',
    of: 'log',
    cellIn: ({ record }) => (record.log === undefined ? '' : String(record.log)),
  }
  const [id, ...others] = everyColumn(type, whole.records.edition, Object.keys(type.bundles).map(shown))
  return sheetFile(whole, quantityPages(whole), {
    name: 'quantities.csv',
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
