import type { Farm } from '../farm/farm.ts'
import type { Field, FieldKind } from '../fields/field.ts'
import { momentIn } from '../formats/csv/dates.ts'
import {
  isPlainNumber,
  longestCell,
  type XlsxCell,
  type XlsxColumn,
  type XlsxSheet,
  xlsxOf,
} from '../formats/xlsx/write-xlsx.ts'
import type { Snapshot } from '../storage/database.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { fieldLabel } from '../words/labelled.ts'
import { type PageWords, pageWords } from '../words/page-words.ts'
import { labelsOf } from '../words/words-of.ts'
import type { OutputColumn } from './columns.ts'
import type { SheetOutput, SheetPiece } from './write-sheet.ts'
import { sheetRows } from './write-sheet.ts'

/** A list of records as a workbook: its rows, and a sheet that explains the columns. */
export async function* workbookPieces(
  snapshot: Snapshot,
  sheet: SheetOutput,
  records: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<SheetPiece> {
  const guide = await guideTo(sheet)
  const tooLong: TooLong[] = []
  let [written, told] = [0, 0]
  async function* rows(): AsyncGenerator<readonly XlsxCell[]> {
    for await (const { rows: some, form } of sheetRows(snapshot, sheet, records)) {
      for (const row of some) {
        written += 1
        yield sheet.columns.map((column) => {
          const text = column.cellIn(row, form)
          if (text.length <= longestCell) return typedCell(column, text, sheet.form.zone)
          tooLong.push({ row: written + 1, column, length: text.length })
          return ''
        })
      }
    }
  }
  const main = { name: 'Furrow', columns: sheet.columns.map((column) => columnOf(column, sheet)), rows: rows() }
  for await (const bytes of xlsxOf([main, guide.sheet(tooLong)])) {
    yield { bytes, rows: written - told }
    told = written
  }
}

/** An empty workbook to fill in, in which columns offer their words. */
export async function* workbookTemplate(sheet: GuidedSheet): AsyncGenerator<Buffer> {
  const guide = await guideTo(sheet)
  const columns = sheet.columns.map((column) => {
    const offers = guide.wordsOf(column)
    return { ...columnOf(column, sheet), ...(offers === undefined ? {} : { offers }) }
  })
  yield* xlsxOf([{ name: 'Furrow', columns, rows: [] }, guide.sheet([])])
}

/** Rows of cells as a workbook: columns of numbers are numbers, and columns of days are days. */
export async function workbookOf([headers = [], ...rows]: readonly (readonly string[])[]): Promise<Buffer> {
  const holds = headers.map((_, at) => heldBy(rows.map((row) => row[at] ?? '').filter((cell) => cell !== '')))
  const typed = (cell: string, at: number): XlsxCell => {
    if (cell === '' || cell.length > longestCell) return ''
    return holds[at] === 'number' ? { number: cell } : holds[at] === 'time' ? { time: cell } : cell
  }
  const columns = headers.map((header, at) => ({ header, holds: holds[at] ?? 'anything', width: widthOf(header) }))
  const pieces: Buffer[] = []
  for await (const piece of xlsxOf([{ name: 'Furrow', columns, rows: rows.map((row) => row.map(typed)) }]))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

function heldBy(cells: readonly string[]): XlsxColumn['holds'] {
  if (cells.length > 0 && cells.every(isPlainNumber)) return 'number'
  return cells.length > 0 && cells.every((cell) => /^\d{4}-\d\d-\d\d$/.test(cell)) ? 'time' : 'anything'
}

/** What is needed of a sheet to explain its columns. */
export type GuidedSheet = Pick<SheetOutput, 'farm' | 'columns' | 'head' | 'language'>

const columnOf = (column: OutputColumn, { head }: Pick<SheetOutput, 'head'>): XlsxColumn => ({
  header: column[head],
  holds: holdsOf(column),
  width: widthOf(column[head]),
})

/** Tags, lots and numbers of invoices stay texts, whatever somebody types. */
function holdsOf({ kind }: OutputColumn): XlsxColumn['holds'] {
  if (kind === 'timestamp') return 'time'
  return kind === 'text' ? 'text' : kind === 'whole' || kind === 'decimal' ? 'number' : 'anything'
}

const widthOf = (header: string): number => Math.min(Math.max(header.length + 2, 12), 40)

/** A cell as what it is. A time stays a text where its clock alone does not say which one it is. */
function typedCell({ kind, name }: OutputColumn, text: string, zone: string): XlsxCell {
  const isNumber = kind === 'whole' || kind === 'decimal' || name === 'id'
  if (isNumber && isPlainNumber(text)) return { number: text }
  if (kind !== 'timestamp') return text
  const local = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[+-]\d\d:\d\d(?::\d\d)?|Z)$/.exec(text)?.[1]
  if (local === undefined) return text
  const [said, read] = [Date.parse(text) / 1000, momentIn(local, { order: 'ymd', zone })]
  return 'second' in read && read.second === said ? { time: local } : text
}

interface TooLong {
  readonly row: number
  readonly column: OutputColumn
  readonly length: number
}

interface Guide {
  /** The cells of the guide that hold the words of a column. */
  readonly wordsOf: (column: OutputColumn) => string | undefined
  readonly sheet: (tooLong: readonly TooLong[]) => XlsxSheet
}

/** Says what each column is and which words it takes. */
async function guideTo({ farm, columns, head, language }: GuidedSheet): Promise<Guide> {
  const words = await pageWords(language)
  const labels = await labelsOf(language)
  const title = words.say('sheet.columns')
  const rows: string[][] = []
  const places = new Map<OutputColumn, string>()
  for (const column of columns) {
    const label = labels === undefined ? undefined : fieldLabel(labels.fields, column.name, [''])
    const known = column.field === undefined ? [] : wordsFor(farm, column.field, labels?.lists ?? {})
    const first = rows.length + 2
    if (known.length > 0) places.set(column, `'${title}'!$D$${first}:$D$${first + known.length - 1}`)
    rows.push([column[head], label ?? column.label, meaningOf(column, words), known[0] ?? ''])
    for (const word of known.slice(1)) rows.push(['', '', '', word])
  }
  const headers = (['sheet.column', 'sheet.label', 'sheet.holds', 'sheet.words'] as const).map((key) => words.say(key))
  const noted = ({ row, column, length }: TooLong) => [
    words.say('sheet.too-long', { row, column: column[head], length, most: longestCell }),
  ]
  return {
    wordsOf: (column) => places.get(column),
    sheet: (tooLong) => ({
      name: title,
      columns: headers.map((header) => ({ header, holds: 'anything', width: 30 })),
      rows: explained(rows, tooLong, noted),
    }),
  }
}

/** It is written last: by then it is known which cells were too long. */
function* explained<T>(
  rows: readonly string[][],
  tooLong: readonly T[],
  noted: (one: T) => readonly string[],
): Generator<readonly string[]> {
  yield* rows
  for (const one of tooLong) yield noted(one)
}

function wordsFor(
  farm: Farm,
  field: Field,
  lists: Readonly<Record<string, Readonly<Record<string, string>>>>,
): readonly string[] {
  if (field.kind !== 'choice') return []
  return (farm.lists[field.list] ?? []).map(({ value, label }) => lists[field.list]?.[value] ?? label)
}

function meaningOf({ isFilledIn, field }: OutputColumn, { say }: PageWords): string {
  return field === undefined || !isFilledIn ? say('sheet.by-farm') : say(meanings[field.kind])
}

const meanings = {
  ...{ text: 'sheet.kind.text', 'long-text': 'sheet.kind.text', 'rich-text': 'sheet.kind.text' },
  ...{ timestamp: 'sheet.kind.time', period: 'sheet.kind.time', geometry: 'sheet.kind.text' },
  ...{ whole: 'sheet.kind.number', decimal: 'sheet.kind.number', 'yes-no': 'sheet.kind.yes-no' },
  ...{ choice: 'sheet.kind.choice', reference: 'sheet.kind.reference', part: 'sheet.kind.part' },
  attachment: 'sheet.kind.text',
} as const satisfies Readonly<Record<FieldKind, Parameters<PageWords['say']>[0]>>
