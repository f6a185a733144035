import type { Separator } from './write-csv.ts'

/** What may stand between two cells. */
export const separators: readonly Separator[] = [',', ';', '\t']

/** What it is called in options and answers. */
export const separatorNames: Readonly<Record<Separator, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

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
