import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Farm } from '../farm/farm.ts'
import { fieldsOfBundle } from '../farm/fields-of.ts'
import type { PartValue, Values } from '../fields/value.ts'
import { byteOrderMark, csvRow, type Separator } from '../formats/csv/write-csv.ts'
import type { SheetFormatName } from '../formats/file-formats.ts'
import { computedOf } from '../records/record-index.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import { filesByIds, type StoredFile } from '../storage/file-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import type { CellForm } from './cells.ts'
import { type OutputColumn, type OutputRow, type ShownFields, valueIn } from './columns.ts'
import { type NamedIds, noteNamed, ReferenceNames } from './reference-names.ts'

/** A sheet to be written, without its records. */
export interface SheetOutput {
  readonly farm: Farm
  readonly time: PointInTime
  readonly columns: readonly OutputColumn[]
  /** The fields of each bundle. */
  readonly shown: (bundle: string) => ShownFields
  /** The repeated part that gets one row per value. */
  readonly rows: string | undefined
  readonly head: 'label' | 'name'
  readonly format: SheetFormatName
  /** Of what explains the columns of a workbook. */
  readonly language: string
  readonly separator: Separator
  readonly mark: 'with a byte order mark' | 'without'
  readonly form: Pick<CellForm, 'times' | 'zone' | 'refs' | 'decimal' | 'language'>
  /** The text of a file in a cell. */
  readonly fileNamed: (file: StoredFile) => string
}

/** A piece of a sheet. */
export interface SheetPiece {
  readonly bytes: string | Buffer
  /** How many rows are in it, beside the head. */
  readonly rows: number
}

/** The lines of a sheet, a few records at a time. */
export async function* csvPieces(
  snapshot: Snapshot,
  sheet: SheetOutput,
  records: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<SheetPiece> {
  yield { bytes: headOf(sheet), rows: 0 }
  for await (const { rows, form } of sheetRows(snapshot, sheet, records)) {
    const cells = rows.map((row) => sheet.columns.map((column) => column.cellIn(row, form)))
    yield { bytes: cells.map((row) => csvRow(row, sheet.separator)).join(''), rows: rows.length }
  }
}

interface SomeRows {
  readonly rows: readonly OutputRow[]
  readonly form: CellForm
}

/** Its rows, a few records at a time. */
export async function* sheetRows(
  snapshot: Snapshot,
  sheet: SheetOutput,
  records: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<SomeRows> {
  const names = new ReferenceNames(snapshot)
  for await (const some of records) {
    const rows = await rowsOf(snapshot, sheet, some)
    yield { rows, form: await formFor(snapshot, sheet, { rows, names }) }
    // Lets other requests run, however long the sheet is.
    await nextTurn()
  }
}

interface SheetHead extends Pick<SheetOutput, 'head' | 'separator' | 'mark'> {
  readonly columns: readonly Pick<OutputColumn, 'name' | 'label'>[]
}

/** The header line. */
export function headOf({ columns, head, separator, mark }: SheetHead): string {
  const line = csvRow(
    columns.map((column) => column[head]),
    separator,
  )
  return mark === 'without' ? line : byteOrderMark + line
}

async function rowsOf(
  snapshot: Snapshot,
  sheet: SheetOutput,
  records: readonly StoredRecord[],
): Promise<readonly OutputRow[]> {
  const { farm, time } = sheet
  const asked = [...new Set(sheet.columns.flatMap(({ computed }) => computed ?? []))]
  const computed = await computedOf(snapshot, records, { farm, time, asked })
  return records.flatMap((record) => {
    const row: OutputRow = { record, computed: computed.get(record.id) ?? none, shown: sheet.shown(record.bundle) }
    return sheet.rows === undefined ? [row] : withParts(row, sheet.rows)
  })
}

const none: Values = {}

/** One row per part; a record without parts keeps one row. */
function withParts(row: OutputRow, name: string): readonly OutputRow[] {
  const parts = (valueIn(row, name) ?? []) as readonly PartValue[]
  return parts.length === 0 ? [row] : parts.map((part) => ({ ...row, part }))
}

interface RowsAndNames {
  readonly rows: readonly OutputRow[]
  readonly names: ReferenceNames
}

async function formFor(snapshot: Snapshot, sheet: SheetOutput, { rows, names }: RowsAndNames): Promise<CellForm> {
  const named: NamedIds = { references: new Map(), files: new Set() }
  for (const { record, computed } of rows) {
    const fields = fieldsOfBundle(sheet.farm.records[record.type], record.bundle)
    noteNamed(named, fields, { ...record.values, uid: record.uid, ...computed })
  }
  if (sheet.form.refs === 'name') await names.learn(named.references)
  const known = await filesByIds(snapshot, [...named.files])
  const addressOfFile = (id: number): string => {
    const file = known.get(id)
    return file === undefined ? '' : sheet.fileNamed(file)
  }
  return { ...sheet.form, nameOf: (type, id) => names.of(type, id), addressOfFile }
}
