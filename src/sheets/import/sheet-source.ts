import { setImmediate as nextTurn } from 'node:timers/promises'
import { trimmedTextKey } from '../../fields/key.ts'
import { shown } from '../../fields/place.ts'
import { wholeNumber } from '../../fields/scalars.ts'
import {
  type CsvEncoding,
  CsvFault,
  CsvReader,
  type CsvRow,
  decoded,
  encodingOf,
  refuseWorkbook,
  UnknownEncoding,
} from '../../formats/csv/read-csv.ts'
import { type Separator, separatorNames, separatorOf, separators } from '../../formats/csv/write-csv.ts'
import type { SheetFormatName } from '../../formats/file-formats.ts'
import { Workbook } from '../../formats/xlsx/read-xlsx.ts'
import { limits } from '../../limits.ts'
import { badQuery } from '../../records/finding/filter.ts'
import { Refusal } from '../../refusal.ts'
import type { ShapeNote } from './book-grids.ts'
import type { SheetOptions } from './import-options.ts'
import { alikeSheets, type NamedSheet } from './joined-sheets.ts'

/** A sheet as bytes, which can be gone through several times: a body, or a file of any size. */
interface SheetBytes {
  pieces(): AsyncIterable<Buffer>
  readonly rowLimit: number
}

/** The rows of a sheet, which can be read several times. */
export interface SheetSource {
  readonly found: SheetFindings
  /** The same in words: "utf-8 with a comma between the cells". */
  readonly readAs: string
  /** What was done to its rows when they were read. */
  readonly notes?: readonly ShapeNote[]
  slices(): AsyncIterable<readonly CsvRow[]>
}

/** What each reader finds out about a file. Answers show it, so that users see whether it was read as it was meant. */
interface FindingsByFormat {
  readonly csv: {
    readonly encoding: CsvEncoding
    readonly separator: (typeof separatorNames)[Separator]
  }
  readonly xlsx: {
    /** The sheet that is read, and all that there are. */
    readonly sheet: string
    readonly sheets: readonly string[]
    /** Sheets with the same headers, and whether they are read together. */
    readonly alike?: readonly string[]
    readonly together?: true
    /** What else is in the file. */
    readonly left_out: Workbook['leftOut']
  }
}

type SheetFindings = { readonly [N in SheetFormatName]: { readonly format: N } & FindingsByFormat[N] }[SheetFormatName]
type SourceOptions = Pick<SheetOptions, 'separator' | 'sheet' | 'year'>
type SheetReader = (bytes: SheetBytes, options: SourceOptions) => Promise<SheetSource>

/** How sheets of each format are read. */
export const sheetReaders: Readonly<Record<SheetFormatName, SheetReader>> = { csv: csvSource, xlsx: xlsxSource }

/** Each row, with a pause now and then in which others are answered. */
export async function* rowsOf(source: Pick<SheetSource, 'slices'>): AsyncGenerator<CsvRow> {
  for await (const slice of source.slices()) yield* slice
}

const pieceLength = 1_048_576
const rowsAtOnce = 200

/** A sheet in memory: its rows are read once. */
export async function sourceInMemory(
  bytes: Buffer,
  format: SheetFormatName,
  options: SheetOptions,
): Promise<SheetSource> {
  const pieces = () => inPieces(bytes)
  const { slices, ...rest } = await sheetReaders[format]({ pieces, rowLimit: limits.sheet.rows }, options)
  const rows: CsvRow[] = []
  for await (const slice of slices()) rows.push(...slice)
  return { ...rest, slices: () => inTurns(rows) }
}

/** The same sheet with other texts in some of its cells. */
export function withCells(source: SheetSource, cells: SheetOptions['cells']): SheetSource {
  if (cells.size === 0) return source
  const rows = new Map<number, Map<number, string>>()
  for (const [place, text] of cells) {
    const [row = 0, column = 1] = place.split(' ').map(Number)
    if (column <= limits.sheet.columns) rows.set(row, (rows.get(row) ?? new Map()).set(column - 1, text))
  }
  const changed = (row: CsvRow): CsvRow => {
    const texts = rows.get(row.row)
    if (texts === undefined) return row
    const length = Math.max(row.cells.length, ...[...texts.keys()].map((at) => at + 1))
    return {
      ...row,
      cells: Array.from({ length }, (_, at) => texts.get(at) ?? row.cells[at] ?? ''),
      numbers: new Set([...(row.numbers ?? [])].filter((at) => !texts.has(at))),
    }
  }
  return {
    ...source,
    async *slices() {
      for await (const slice of source.slices()) yield slice.map(changed)
    },
  }
}

/** The same sheet with other texts for equal cells of some columns. */
export function withValues(
  source: SheetSource,
  columns: readonly { readonly at: number; readonly header: string }[],
  { values }: Pick<SheetOptions, 'values'>,
): SheetSource {
  const replaced = columns.flatMap(({ at, header }) => {
    const texts = values.get(trimmedTextKey(header))
    return texts === undefined ? [] : [{ at, texts }]
  })
  if (replaced.length === 0) return source
  const changed = (row: CsvRow): CsvRow => {
    const found = replaced.flatMap(({ at, texts }) => {
      const text = texts.get(trimmedTextKey(row.cells[at] ?? ''))
      return text === undefined ? [] : [[at, text] as const]
    })
    if (found.length === 0) return row
    const cells = [...row.cells]
    for (const [at, text] of found) cells[at] = text
    return {
      ...row,
      cells,
      numbers: new Set([...(row.numbers ?? [])].filter((at) => !found.some(([one]) => one === at))),
    }
  }
  return {
    ...source,
    async *slices() {
      for await (const slice of source.slices()) yield slice.map(changed)
    },
  }
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceLength) {
    yield bytes.subarray(start, start + pieceLength)
    await nextTurn()
  }
}

async function* inTurns(rows: readonly CsvRow[]): AsyncGenerator<readonly CsvRow[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    yield rows.slice(start, start + rowsAtOnce)
    await nextTurn()
  }
}

/** How much of a sheet is searched for its separator. */
const beginningLength = 65_536

async function csvSource({ pieces, rowLimit }: SheetBytes, options: SourceOptions): Promise<SheetSource> {
  if (options.sheet !== undefined) throw badQuery('sheet', 'is for workbooks: CSV has one sheet')
  const encoding = await encodingOf(pieces()).catch(refused)
  const separator = options.separator ?? (await separatorFound(decoded(pieces(), encoding)))
  const name = separatorNames[separator]
  async function* slices(): AsyncGenerator<readonly CsvRow[]> {
    const reader = new CsvReader(separator, { ...limits.sheet, rows: rowLimit })
    try {
      for await (const text of decoded(pieces(), encoding)) yield reader.push(text)
      yield reader.end()
    } catch (error) {
      refused(error)
    }
  }
  const found = { format: 'csv', encoding, separator: name } as const
  return { found, readAs: `${encoding} with a ${name} between the cells`, slices }
}

/** `sheet=*` reads all sheets that have the headers of the first. */
const together = '*'

/** The sheet that is asked for, else the first that has cells and is shown, else the first that has any. */
async function xlsxSource({ pieces, rowLimit }: SheetBytes, options: SourceOptions): Promise<SheetSource> {
  if (options.separator !== undefined) throw badQuery('sep', 'is for CSV: the cells of a workbook stand apart')
  const all: Buffer[] = []
  for await (const piece of pieces()) all.push(piece)
  const bytes = Buffer.concat(all)
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) await Promise.resolve(bytes).then(refuseWorkbook).catch(refused)
  // A file of the operator's own machine may be of any size.
  const most = Number.isFinite(rowLimit) ? limits.sheet : { ...limits.sheet, cells: rowLimit, unpackedBytes: rowLimit }
  const workbook = await Workbook.open(bytes, most.unpackedBytes)
  const names = workbook.sheets.map(({ name }) => name)
  const asked = options.sheet === together ? undefined : sheetAsked(workbook, options.sheet)
  const inOrder = [...workbook.sheets].sort((one, other) => Number(one.isHidden) - Number(other.isHidden))
  for (const [index, one] of (asked === undefined ? inOrder : [asked]).entries()) {
    const rows = await workbook.rows(one, { ...most, rows: rowLimit })
    if (rows.length === 0) continue
    const found = { format: 'xlsx', sheet: one.name, sheets: names, left_out: workbook.leftOut } as const
    const alone = { found, readAs: `the sheet ${shown(one.name)} of a workbook`, slices: () => inTurns(rows) }
    const others = asked === undefined ? inOrder.slice(index + 1).filter(({ isHidden }) => !isHidden) : []
    if (others.length === 0) return alone
    const sheets: NamedSheet[] = [{ name: one.name, rows }]
    for (const other of others)
      sheets.push({ name: other.name, rows: await workbook.rows(other, { ...most, rows: rowLimit }) })
    const alike = await alikeSheets(sheets, options.year)
    if (alike === undefined) return alone
    const offered = { ...found, alike: alike.names }
    if (!alike.arePeriods && options.sheet !== together) return { ...alone, found: offered }
    if (alike.rows.length > rowLimit) throw tooManyRows(rowLimit)
    const readAs = `the sheets ${alike.names.map((name) => shown(name)).join(', ')} of a workbook, together`
    return { found: { ...offered, together: true }, readAs, notes: alike.notes, slices: () => inTurns(alike.rows) }
  }
  const which = asked === undefined ? 'The workbook has no sheet with cells' : `The sheet ${shown(asked.name)} is empty`
  throw new Refusal('unreadable-body', `${which}.`)
}

const tooManyRows = (most: number): Refusal =>
  new Refusal('too-large', `The sheets have more than ${most} rows together; send them one by one with sheet=.`)

function sheetAsked({ sheets }: Workbook, asked: string | undefined) {
  if (asked === undefined) return undefined
  const named = sheets.find(({ name }) => trimmedTextKey(name) === trimmedTextKey(asked))
  const found = named ?? sheets[(wholeNumber(asked) ?? 0) - 1]
  if (found !== undefined) return found
  const names = sheets.map(({ name }) => `sheet=${name}`)
  throw badQuery('sheet', `there is no sheet ${shown(asked)}; say its name or its number`, names)
}

async function separatorFound(texts: AsyncIterable<string>): Promise<Separator> {
  let beginning = ''
  for await (const text of texts) {
    beginning += text
    if (beginning.length >= beginningLength) break
  }
  const separator = separatorOf(beginning.slice(0, beginningLength))
  if (separator !== undefined) return separator
  const names = separators.map((one) => separatorNames[one])
  const message = 'it cannot be told what stands between the cells'
  throw new Refusal('unreadable-body', `I${message.slice(1)}: say sep= and one of ${names.join(', ')}.`, {
    faults: [{ field: 'sep', message, allowed: names.map((name) => `sep=${name}`) }],
  })
}

/** What is no sheet is refused with the place where it ceases to be one. */
function refused(error: unknown): never {
  if (error instanceof UnknownEncoding)
    throw new Refusal('unreadable-body', `The sheet cannot be read: ${error.message}.`)
  if (!(error instanceof CsvFault)) throw error
  const { row, column, message } = error
  const at = `row ${row}, column ${column}`
  const faults = [{ field: at, message }]
  throw new Refusal(error.isTooLarge ? 'too-large' : 'unreadable-body', `${at}: ${message}.`, { faults })
}
