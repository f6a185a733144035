import { trimmedTextKey } from '../../fields/key.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { monthOf, subjectsOfHeader } from '../../words/sheet-words.ts'
import { gridOfDays, lettersOf, type ShapeNote, tableOfGrid, withMonth } from './book-grids.ts'

/** A sheet of a workbook with its rows. */
export interface NamedSheet {
  readonly name: string
  readonly rows: readonly CsvRow[]
}

/** Sheets with the same headers as the first, which can be read as one. */
export interface AlikeSheets {
  readonly names: readonly string[]
  /** Each is named by a month or a year. */
  readonly arePeriods: boolean
  readonly rows: readonly CsvRow[]
  readonly notes: readonly ShapeNote[]
}

const rowsLookedAt = 30

/** Joins the sheets whose headers equal those of the first; undefined if there are none. */
export async function alikeSheets(
  sheets: readonly NamedSheet[],
  year: number | undefined,
): Promise<AlikeSheets | undefined> {
  const [first, ...others] = await Promise.all(sheets.map((sheet) => tableOf(sheet, year)))
  if (first === undefined) return undefined
  const joined = others.flatMap((other) => {
    const heads = commonHead(first.rows, other.rows)
    return heads === undefined ? [] : [{ ...other, ...heads }]
  })
  const [one] = joined
  if (one === undefined) return undefined
  const all = [first, ...joined]
  const rows: CsvRow[] = []
  for (const [index, { name, rows: own }] of all.entries()) {
    const behind = index === 0 ? -1 : (joined[index - 1]?.ofOther ?? 0)
    for (const row of own.slice(behind + 1))
      rows.push({ ...row, row: rows.length + 1, place: `${name} ${row.place ?? `${lettersOf(0)}${row.row}`}` })
  }
  const names = all.map(({ name }) => name)
  return { names, arePeriods: names.every(isPeriod), rows, notes: all.flatMap(({ notes }) => notes).slice(0, 1) }
}

const isPeriod = (name: string): boolean =>
  /\b(?:19|20)\d{2}\b/.test(name) || name.split(/[\s_.-]+/).some((word) => monthOf(word) !== undefined)

interface SheetTable extends NamedSheet {
  readonly notes: readonly ShapeNote[]
}

/** The rows of one sheet; those of a grid as a table. */
async function tableOf({ name, rows }: NamedSheet, year: number | undefined): Promise<SheetTable> {
  const isKnown = (header: string) => subjectsOfHeader(header).length > 0
  const context = { sheet: name, year, isKnown }
  const grid = gridOfDays(rows.slice(0, rowsLookedAt), context)
  if (grid === undefined) return { name, rows: withMonth(rows, context), notes: [] }
  const found: CsvRow[] = []
  const { source, notes } = tableOfGrid(
    {
      slices: async function* () {
        yield rows
      },
    },
    grid,
  )
  for await (const slice of source.slices()) found.push(...slice)
  return { name, rows: found, notes }
}

/** Where the same headers stand in both. */
function commonHead(one: readonly CsvRow[], other: readonly CsvRow[]): { readonly ofOther: number } | undefined {
  const keys = one.slice(0, rowsLookedAt).map(keyOf)
  const ofOther = other.slice(0, rowsLookedAt).findIndex((row) => keyOf(row) !== '' && keys.includes(keyOf(row)))
  return ofOther < 0 ? undefined : { ofOther }
}

/** Only rows of at least two different texts can be headers. */
function keyOf({ cells, numbers }: CsvRow): string {
  const texts = cells.map((cell) => trimmedTextKey(cell))
  const isHead = (numbers?.size ?? 0) === 0 && new Set(texts.filter((text) => text !== '')).size >= 2
  return isHead ? texts.join('\n').trimEnd() : ''
}
