import type { SheetAnswer } from './answers.ts'
import { rowsOf, withCell } from './sheet-text.ts'
import { type CheckedSheet, checked, editOf, edits, pasted, type Source } from './state.ts'

const [firstRows, faultyRows] = [5, 20]

/** What the farm says of a sheet, with the cells of the rows that are shown: the first, and those with problems. */
export async function withRows(answer: SheetAnswer, { blob }: Pick<Source, 'blob'>): Promise<CheckedSheet> {
  const { found, rows } = answer
  const faulty = rows.filter(({ result }) => result === 'fault').slice(0, faultyRows)
  const wanted = new Set(faulty.map(({ row }) => row))
  const last = Math.max(found.head_row, ...wanted)
  let seen = 0
  const [head, ...shown] = await rowsOf(await textOf(blob, found.encoding), found.separator, (row) => {
    if (row < found.head_row) return 'no'
    if (seen > firstRows && !wanted.has(row)) return row > last ? 'no-more' : 'no'
    seen++
    return 'yes'
  })
  return { ...answer, head, shown }
}

/** As the farm found it to be written. */
const textOf = async (blob: Blob, encoding: string): Promise<string> =>
  new TextDecoder(encoding).decode(await blob.arrayBuffer())

/** The sheet with what was put right in it. */
export async function edited(given: Source): Promise<Source> {
  const told = checked.value
  if (told?.of !== 'sheet' || edits.value.size === 0) return given
  let text = await textOf(given.blob, told.sheet.found.encoding)
  // From the last to the first, so that those before it stay where they are.
  for (const { row, cells } of told.sheet.shown.toReversed())
    for (const [at, cell] of [...cells.entries()].toReversed()) {
      const other = editOf({ row, at })
      if (other !== undefined) text = withCell(text, cell, other)
    }
  if (given.name === '') pasted.value = text
  return { ...given, blob: new Blob([text]) }
}
