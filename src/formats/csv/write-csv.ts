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

/** A spreadsheet takes this for a formula. A line feed or full-width sign in front counts: some programs drop or narrow it. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** As numbers are written here; `+49` is none, since a spreadsheet would drop its plus. */
const number = /^-?(?:\d+|\d*\.\d+)$/

/** A cell as it goes into a file that spreadsheets open: what one would work out has a mark in front. */
export const guarded = (cell: string): string => (formula.test(cell) && !number.test(cell) ? `'${cell}` : cell)

/** The same cell without that mark; what a person has written stays as it is. */
export const unguarded = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

/** What may stand between two cells. */
export const separators: readonly Separator[] = [',', ';', '\t']

/** What it is called in options and answers. */
export const separatorNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const satisfies Readonly<
  Record<Separator, string>
>

/** A separator by its name or as itself. */
export const separatorNamed = (given: string): Separator | undefined =>
  separators.find((one) => one === given || separatorNames[one] === given)

/** How many rows of cells are looked at. */
const rowsLookedAt = 20

/** A first row that tells spreadsheets what stands between the cells, and that they do not show. */
export const saysSeparator = /^sep=(.)$/i

/**
 * The separator of a sheet, by its beginning: what a first row `sep=;` says, else of those that stand in its first row outside of quotes the one that stands there most often; of
 * two that do, the one that the rows behind agree with. Undefined where that leaves a doubt. A sheet of one column has none, and takes any.
 */
export function separatorOf(beginning: string): Separator | undefined {
  const said = separators.find((one) => one === saysSeparator.exec(/^[^\r\n]*/.exec(beginning)?.[0] ?? '')?.[1])
  if (said !== undefined) return said
  const rows = rowsWithoutQuotes(beginning)
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

/** The first rows in which something stands, without what stands in quotes. The last may be cut off, and counts only alone. */
function rowsWithoutQuotes(beginning: string): readonly string[] {
  const plain = beginning.replace(/"[^"]*(?:"|$)/g, '')
  const rows = plain.split(/\r\n|\r|\n/).filter((row) => row !== '')
  return (rows.length > 1 && !/[\r\n]$/.test(plain) ? rows.slice(0, -1) : rows).slice(0, rowsLookedAt)
}
