import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvEncoding, decoded, encodingOf, UnknownEncoding } from '../../formats/csv/encoding.ts'
import { CsvFault, CsvReader, type CsvRow } from '../../formats/csv/read-csv.ts'
import { type Separator, separatorNames, separatorOf, separators } from '../../formats/csv/write-csv.ts'
import type { SheetFormatName } from '../../formats/file-formats.ts'
import { limits } from '../../limits.ts'
import { Refusal } from '../../refusal.ts'

/** The rows of a sheet, which can be gone through several times, some at a time. */
export interface SheetSource {
  readonly encoding: CsvEncoding
  readonly separator: Separator
  slices(): AsyncIterable<readonly CsvRow[]>
}

/** Each row, with a pause now and then in which others are answered. */
export async function* rowsOf(source: SheetSource): AsyncGenerator<CsvRow> {
  for await (const slice of source.slices()) yield* slice
}

/** How much of a sheet is looked at to find its separator, and read at a time. */
export const beginningLength = 65_536
const pieceLength = 1_048_576

const rowsAtOnce = 200

/** A sheet that is at hand as a whole. */
export const sourceOf = (
  bytes: Buffer,
  format: SheetFormatName,
  separator: Separator | undefined,
): Promise<SheetSource> => readers[format](bytes, separator)

const readers: Readonly<
  Record<SheetFormatName, (bytes: Buffer, separator: Separator | undefined) => Promise<SheetSource>>
> = { csv: rowsOfCsv }

async function rowsOfCsv(bytes: Buffer, given: Separator | undefined): Promise<SheetSource> {
  const known = orRefuse(() => encodingOf(bytes))
  const text = decoded(bytes, known)
  const separator = separatorIn(text.slice(0, beginningLength), given)
  const reader = new CsvReader(separator, limits.sheet)
  const rows: CsvRow[] = []
  for (let start = 0; start < text.length; start += pieceLength) {
    rows.push(...orRefuse(() => reader.push(text.slice(start, start + pieceLength))))
    await nextTurn()
  }
  rows.push(...orRefuse(() => reader.end()))
  return { encoding: known.encoding, separator, slices: () => inTurns(rows) }
}

async function* inTurns(rows: readonly CsvRow[]): AsyncGenerator<readonly CsvRow[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    yield rows.slice(start, start + rowsAtOnce)
    await nextTurn()
  }
}

export function separatorIn(beginning: string, given: Separator | undefined): Separator {
  const separator = given ?? separatorOf(beginning)
  if (separator !== undefined) return separator
  const names = separators.map((one) => separatorNames[one])
  const message = 'it cannot be told what stands between the cells'
  throw new Refusal('unreadable-body', `I${message.slice(1)}: say sep= and one of ${names.join(', ')}.`, {
    faults: [{ field: 'sep', message, allowed: names.map((name) => `sep=${name}`) }],
  })
}

/** What is no sheet is refused with the place where it ceases to be one. */
export function orRefuse<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnknownEncoding)
      throw new Refusal('unreadable-body', `The sheet cannot be read: ${error.message}.`)
    if (!(error instanceof CsvFault)) throw error
    const { row, column, message } = error
    const at = `row ${row}, column ${column}`
    const faults = [{ field: at, message }]
    throw new Refusal(error.isTooLarge ? 'too-large' : 'unreadable-body', `${at}: ${message}.`, { faults })
  }
}
