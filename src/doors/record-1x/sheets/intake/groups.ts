import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import { askedBy } from './matching.ts'
import type { RowGroup, Sheet } from './sheet.ts'
import { rowsOf, type SheetSource } from './source.ts'

/** The rows of each record, behind a row where one is named: one, or where each part has a row those that follow one another and are about the same. */
export async function* groupsIn(sheet: Sheet, source: SheetSource, behind = 0): AsyncGenerator<RowGroup> {
  let open: [CsvRow, ...CsvRow[]] | undefined
  for await (const row of rowsOf(source)) {
    if (row.row <= sheet.headRow || row.row <= behind) continue
    if (open !== undefined && isAboutTheSame(sheet, open[0], row)) {
      open.push(row)
      continue
    }
    if (open !== undefined) yield { rows: open }
    open = [row]
  }
  if (open !== undefined) yield { rows: open }
}

function isAboutTheSame(sheet: Sheet, one: CsvRow, other: CsvRow): boolean {
  if (sheet.options.rows === undefined) return false
  const [first, second] = [one, other].map((row) => askedBy(sheet, { rows: [row] })?.words.join('; '))
  return first !== undefined && first === second
}

/** So many records at a time. */
export async function* inSlicesOf(groups: AsyncIterable<RowGroup>, size: number): AsyncGenerator<readonly RowGroup[]> {
  let slice: RowGroup[] = []
  for await (const group of groups) {
    slice.push(group)
    if (slice.length < size) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
