export type Separator = ',' | ';' | '\t'

/** Without it, some spreadsheets do not read the file as UTF-8. */
export const byteOrderMark = '\uFEFF'

/** One row as a line (RFC 4180), safe to open in a spreadsheet. */
export function csvRow(cells: readonly string[], separator: Separator): string {
  // An empty line would be no row.
  if (cells.length === 1 && cells[0] === '') return '""\r\n'
  return `${cells.map((cell) => written(guarded(cell), separator)).join(separator)}\r\n`
}

const written = (cell: string, separator: Separator): string =>
  cell.includes(separator) || mustBeQuoted.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Quotes, line ends, and outer white space, which some readers drop. */
const mustBeQuoted = /["\r\n]|^[\s\uFEFF]|[\s\uFEFF]$/

/**
 * Spreadsheets read this as a formula. A line feed or full-width sign in front counts: some programs drop or narrow it.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Plain numbers; `+49` is none, because a spreadsheet would drop its plus. */
const number = /^-?(?:\d+|\d*\.\d+)$/

/** Protects a cell against formula injection: a cell that looks like a formula gets an apostrophe. */
export const guarded = (cell: string): string => (formula.test(cell) && !number.test(cell) ? `'${cell}` : cell)

/** Removes that apostrophe; others stay. */
export const unguarded = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

export const separators: readonly Separator[] = [',', ';', '\t']

/** Names in options and answers. */
export const separatorNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const satisfies Readonly<
  Record<Separator, string>
>

/** A separator by its name or as itself. */
export const separatorNamed = (given: string): Separator | undefined =>
  separators.find((one) => one === given || separatorNames[one] === given)

/** Rows sampled to detect the separator. */
const rowsLookedAt = 20

/** A first row that names the separator; spreadsheets do not show it. */
export const saysSeparator = /^sep=(.)$/i

/**
 * Detects the separator from the beginning of a sheet: a first row `sep=;`, else the most frequent one in the first row
 * outside of quotes; ties are settled by the rows below. Undefined if in doubt. A sheet of one column has none, and
 * takes any.
 */
export function separatorOf(beginning: string): Separator | undefined {
  const said = separators.find((one) => one === saysSeparator.exec(/^[^\r\n]*/.exec(beginning)?.[0] ?? '')?.[1])
  if (said !== undefined) return said
  const rows = belowTitle(rowsWithoutQuotes(beginning))
  const counted = separators.map((separator) => ({
    separator,
    counts: rows.map((row) => row.split(separator).length - 1),
  }))
  const most = Math.max(...counted.map(({ counts }) => counts[0] ?? 0))
  if (most === 0) return ','
  const likely = counted.filter(({ counts }) => counts[0] === most)
  const agreed = likely.filter(({ counts }) => counts.every((count) => count === most))
  const [only, second] = agreed.length > 0 ? agreed : likely
  return second === undefined ? only?.separator : undefined
}

/** Cells of a table that has a title in one cell above it. */
const cellsOfTable = 3

/** Without the title of a book: rows of one cell above a table. */
function belowTitle(rows: readonly string[]): readonly string[] {
  const most = (row: string) => Math.max(...separators.map((separator) => row.split(separator).length))
  const first = rows.findIndex((row) => most(row) >= cellsOfTable)
  const table = rows.slice(Math.max(first, 0))
  // A title may have a comma: `Betrieb: Huber, Landshut`.
  const isOneTable = separators.some((separator) => {
    const [cells = 0, other] = new Set(table.map((row) => row.split(separator).length))
    return cells >= cellsOfTable && other === undefined
  })
  const isTitled = first > 0 && (isOneTable || rows.slice(0, first).every((row) => most(row) < cellsOfTable - 1))
  return isTitled ? table : rows
}

/** The first rows in which something stands, without what stands in quotes. The last may be cut off, and counts only alone. */
function rowsWithoutQuotes(beginning: string): readonly string[] {
  const plain = beginning.replace(/"[^"]*(?:"|$)/g, '')
  const rows = plain.split(/\r\n|\r|\n/).filter((row) => row !== '')
  return (rows.length > 1 && !/[\r\n]$/.test(plain) ? rows.slice(0, -1) : rows).slice(0, rowsLookedAt)
}
