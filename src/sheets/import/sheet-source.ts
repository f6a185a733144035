import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvEncoding, decoded, encodingOf, UnknownEncoding } from '../../formats/csv/encoding.ts'
import { CsvFault, CsvReader, type CsvRow } from '../../formats/csv/read-csv.ts'
import { type Separator, separatorNames, separatorOf, separators } from '../../formats/csv/write-csv.ts'
import type { SheetFormatName } from '../../formats/file-formats.ts'
import { limits } from '../../limits.ts'
import { Refusal } from '../../refusal.ts'
import type { SheetOptions } from './import-options.ts'

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
  slices(): AsyncIterable<readonly CsvRow[]>
}

/** What each reader finds out about a file. Answers show it, so that users see whether it was read as it was meant. */
interface FindingsByFormat {
  readonly csv: {
    readonly encoding: CsvEncoding
    readonly separator: (typeof separatorNames)[Separator]
  }
}

type SheetFindings = FindingsByFormat[SheetFormatName]
type SheetReader = (bytes: SheetBytes, options: Pick<SheetOptions, 'separator'>) => Promise<SheetSource>

/** How sheets of each format are read. */
export const sheetReaders: Readonly<Record<SheetFormatName, SheetReader>> = { csv: csvSource }

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

async function csvSource({ pieces, rowLimit }: SheetBytes, options: Pick<SheetOptions, 'separator'>) {
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
  return { found: { encoding, separator: name }, readAs: `${encoding} with a ${name} between the cells`, slices }
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
