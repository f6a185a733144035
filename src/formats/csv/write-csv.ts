import { guarded } from './formulas.ts'

/** What stands between the cells of a row. */
export type Separator = ',' | ';' | '\t'

/** Spreadsheets that take a file for one of their own country's letters see by it that it is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** One row as a line (RFC 4180), safe to be opened by a spreadsheet. */
export function csvRow(cells: readonly string[], separator: Separator): string {
  // A line with nothing on it would be no row.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map((cell) => written(guarded(cell), separator)).join(separator)}\r\n`
}

const written = (cell: string, separator: Separator): string =>
  cell.includes(separator) || mustBeQuoted.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Quotes, ends of lines, and white space around it, which some readers drop. */
const mustBeQuoted = /["\r\n]|^[\s\uFEFF]|[\s\uFEFF]$/
