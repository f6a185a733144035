import { numberBy } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { measureOfUnit } from '../../reports/units.ts'
import {
  type ColumnSubject,
  languagesOfHeaders,
  monthOf,
  plainWord,
  saysTotal,
  sheetWords,
  subjectsOfHeader,
} from '../../words/sheet-words.ts'

/** What was done to the rows of a book so that each says all that it means. */
export interface ShapeNote {
  readonly what: 'title' | 'totals' | 'hidden' | 'filled' | 'year' | 'grid' | 'month'
  /** The header of the column, where it is about one. */
  readonly column?: string
  readonly count: number
  /** The first of the rows. */
  readonly rows: readonly number[]
}

/** Rows that can be read several times. */
interface RowSlices {
  slices(): AsyncIterable<readonly CsvRow[]>
}

/** A grid in the first rows of a book: days or names across, with an amount in each cell. */
export interface BookGrid {
  readonly headRow: number
  readonly title: readonly CsvRow[]
  readonly headers: readonly string[]
  /** Columns that stay columns. */
  readonly left: readonly number[]
  /** Columns that become rows, and what they say. */
  readonly across: ReadonlyMap<number, string>
  readonly subject: 'timestamp' | 'crop' | 'place'
}

interface GridContext {
  /** The sheet of the workbook. */
  readonly sheet: string
  readonly year: number | undefined
  readonly isKnown: (header: string) => boolean
}

const fewest = 3

/** Finds a grid whose header row has days, months or weeks across. */
export function gridOfDays(rows: readonly CsvRow[], context: GridContext): BookGrid | undefined {
  for (const [index, head] of rows.entries()) {
    const { cells } = head
    const where = monthAndYear(rows.slice(0, index), context)
    const days = cells.map((cell) => dayOfHeader(cell, where))
    const across = new Map(days.flatMap((day, at) => (day === undefined ? [] : [[at, day] as const])))
    const first = Math.min(...across.keys())
    const isGrid = across.size >= fewest && first > 0 && new Set(across.values()).size === across.size
    if (!isGrid || !hasAmounts(rows.slice(index + 1), [...across.keys()])) {
      // Rows below the headers of a table have days of their own.
      if (cells.filter((cell) => cell.trim() !== '' && context.isKnown(cell)).length >= 2) return undefined
      continue
    }
    const left = cells.flatMap((cell, at) => (across.has(at) || (at > first && isSumHeader(cell)) ? [] : [at]))
    return gridUnder(head, rows, { left, across, subject: 'timestamp' })
  }
  return undefined
}

/** The grid under a row of headers; columns that have no cells are left out. */
function gridUnder(
  head: CsvRow,
  rows: readonly CsvRow[],
  { left, across, subject }: Pick<BookGrid, 'left' | 'across' | 'subject'>,
): BookGrid {
  const index = rows.indexOf(head)
  const filled = left.filter(hasCells(rows.slice(index)))
  return { headRow: head.row, title: rows.slice(0, index), headers: head.cells, left: filled, across, subject }
}

/** Finds a grid that has days down and names across: the header of the days is known, and those of the amounts are not. */
export function gridOfNames(rows: readonly CsvRow[], context: GridContext): BookGrid | undefined {
  for (const [index, head] of rows.entries()) {
    const { cells } = head
    const subjects = cells.map((cell) =>
      isSumHeader(cell) ? [] : subjectsOfHeader(withoutUnit(cell)).map(({ subject }) => subject),
    )
    const all = subjects.flat()
    if (!all.includes('timestamp') || all.some((one) => ofRows.includes(one))) continue
    const below = rows.slice(index + 1)
    const names = cells.flatMap((cell, at) => {
      const isOther =
        cell.trim() === '' || (subjects[at]?.length ?? 0) > 0 || context.isKnown(cell) || isSumHeader(cell)
      return !isOther && hasAmounts(below, [at]) ? [[at, cell.trim()] as const] : []
    })
    if (names.length < 2) continue
    const places = names.filter(([, name]) => isPlaceName(name))
    const subject = places.length >= 2 && places.length * 2 >= names.length ? 'place' : 'crop'
    const across = new Map(subject === 'place' ? places : names)
    const left = cells.flatMap((cell, at) => (across.has(at) || isSumHeader(cell) ? [] : [at]))
    return gridUnder(head, rows, { left, across, subject })
  }
  return undefined
}

/** `Stall 2`, `Bed 4a`, `Mobilstall`: names in which a word for a place stands. */
function isPlaceName(name: string): boolean {
  const words = plainWord(withoutUnit(name)).split(' ')
  const isPlace = (word: string) => subjectsOfHeader(word).some(({ subject }) => subject === 'place')
  const ends = words.map((word) => word.slice(-5)).filter((end, index) => end !== words[index])
  return (words.length > 1 && words.some(isPlace)) || ends.some(isPlace)
}

/** Columns of a table: beside them, numbers across are no grid. */
const ofRows: readonly ColumnSubject[] = ['crop', 'amount', 'unit', 'name', 'tag', 'weight']

const isSumHeader = (cell: string): boolean => cell.trim() === '' || saysTotal(cell)

const hasCells = (rows: readonly CsvRow[]) => (at: number) => rows.some(({ cells }) => (cells[at] ?? '').trim() !== '')

/** The header without the unit in brackets. */
const withoutUnit = (header: string): string => header.replace(/\s*[([][^()[\]]{1,20}[)\]]\s*$/, '')

const amount = /^\s*-?[\d.,]+(?:\s*[^\d\s].{0,20})?\s*$/s
const nothing = /^\s*(?:[-–—]|0+(?:[.,]0+)?)?\s*$/

/** Some cells of each column are amounts, and all of them are amounts or empty. */
const hasAmounts = (rows: readonly CsvRow[], columns: readonly number[]): boolean => {
  const texts = rows.flatMap(({ cells }) => columns.map((at) => cells[at] ?? '')).filter((cell) => !nothing.test(cell))
  return texts.length > 0 && texts.every((cell) => amount.test(cell))
}

interface MonthAndYear {
  readonly month: number | undefined
  readonly year: number | undefined
}

/** The month and the year that the title or the name of the sheet says. */
function monthAndYear(title: readonly CsvRow[], { sheet, year }: Pick<GridContext, 'sheet' | 'year'>): MonthAndYear {
  const texts = [sheet, ...title.flatMap(({ cells }) => cells)]
  const years = new Set(texts.flatMap((text) => text.match(/\b(?:19|20)\d{2}\b/g) ?? []))
  const months = new Set(texts.flatMap((text) => text.split(/[\s_.-]+/).flatMap((word) => monthOf(word) ?? [])))
  return {
    year: year ?? (years.size === 1 ? Number([...years][0]) : undefined),
    month: months.size === 1 ? [...months][0] : undefined,
  }
}

/** The day that a header stands for, as a cell would say it: the middle of a month or a week. */
function dayOfHeader(cell: string, { month, year }: MonthAndYear): string | undefined {
  const text = cell.trim()
  if (/^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(text)) return text.slice(0, 10)
  if (/^\d{1,2}([./-])\d{1,2}\1\d{2,4}$/.test(text) || /^\d{1,2}([./-])\d{1,2}\1?$/.test(text)) return text
  const ending = year === undefined ? '' : `${year}`
  const [, name = '', own] = /^([\p{L}.]+)[\s'’-]*(\d{4}|\d{2})?$/u.exec(text) ?? []
  const named = monthOf(name.replace(/\.$/, ''))
  if (named !== undefined) return `15.${named}.${own === undefined ? ending : own.length === 2 ? `20${own}` : own}`
  const week = Number(/^(?:kw|cw|w|week|wk|semana|sem|s|woche)\.?\s*(\d{1,2})$/i.exec(text)?.[1] ?? 0)
  if (week >= 1 && week <= 53 && year !== undefined) return middleOfWeek(year, week)
  const day = Number(/^(\d{1,2})\.?$/.exec(text)?.[1] ?? 0)
  return day >= 1 && day <= 31 && month !== undefined ? `${day}.${month}.${ending}` : undefined
}

/** The Thursday of a week by ISO 8601. */
function middleOfWeek(year: number, week: number): string {
  const fourth = new Date(Date.UTC(year, 0, 4))
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * 86_400_000
  return new Date(monday + ((week - 1) * 7 + 3) * 86_400_000).toISOString().slice(0, 10)
}

/** Rows whose days are numbers alone, under a title or on a sheet that says the month. */
export function withMonth(rows: readonly CsvRow[], context: Pick<GridContext, 'sheet' | 'year'>): readonly CsvRow[] {
  const index = rows.findIndex(({ cells }) => cells.filter((cell) => subjectsOfHeader(cell).length > 0).length >= 2)
  const at = rows[index]?.cells.findIndex((cell) => subjectsOfHeader(cell).some((one) => one.subject === 'timestamp'))
  const { month, year } = monthAndYear(rows.slice(0, Math.max(index, 0)), context)
  if (at === undefined || at < 0) return rows
  if (isWeekHeader(rows[index]?.cells[at] ?? '')) return withWeeks(rows, { index, at, year })
  if (month === undefined) return rows
  const texts = rows.slice(index + 1).flatMap(({ cells }) => (cells[at] ?? '').trim() || [])
  if (!texts.every((text) => dayAlone.test(text) || saysTotal(text)) || !texts.some((text) => dayAlone.test(text)))
    return rows
  return rows.map((row, nth) => {
    const [, day] = dayAlone.exec((row.cells[at] ?? '').trim()) ?? []
    if (nth <= index || day === undefined) return row
    return { ...row, cells: row.cells.with(at, `${day}.${month}.${year ?? ''}`) }
  })
}

const week = /^(?:kw|week|wk|semana|sem|woche)?\.?\s*(\d{1,2})\.?$/i

/** True if a column has the numbers of weeks. */
export const isWeekHeader = (header: string): boolean =>
  /^\s*(?:kw|week|wk|woche|kalenderwoche|semana|week (?:no\.?|number|#))\s*$/i.test(header)

/** Weeks, each as its Thursday; where no year is known, they stay what they are. */
function withWeeks(
  rows: readonly CsvRow[],
  { index, at, year }: { readonly index: number; readonly at: number; readonly year: number | undefined },
): readonly CsvRow[] {
  if (year === undefined) return rows
  return rows.map((row, nth) => {
    const number = nth <= index ? 0 : Number(week.exec((row.cells[at] ?? '').trim())?.[1] ?? 0)
    return number >= 1 && number <= 53 ? { ...row, cells: row.cells.with(at, middleOfWeek(year, number)) } : row
  })
}

const dayAlone = /^(\d{1,2})\.?$/

/** The table that a grid stands for: a row for each cell with an amount. */
export function tableOfGrid<S extends RowSlices>(
  source: S,
  grid: BookGrid,
): { readonly source: S; readonly notes: readonly ShapeNote[] } {
  const names = headersOfGrid(grid)
  const notes: ShapeNote[] = [{ what: 'grid', count: grid.across.size, rows: [grid.headRow] }]
  const table: S = {
    ...source,
    async *slices() {
      let row = 0
      const above = new Map<number, string>()
      const numbered = (rest: Omit<CsvRow, 'row'>): CsvRow => ({ row: ++row, ...rest })
      yield grid.title.map(({ cells }) => numbered({ cells }))
      yield [numbered({ cells: names })]
      for await (const slice of source.slices())
        yield slice.flatMap((one) =>
          one.row <= grid.headRow ? [] : cellsOfRow(filledRow(one, grid, above), grid).map(numbered),
        )
    },
  }
  return { source: table, notes }
}

/** Columns of crops and places are written once for several rows. */
function filledRow(row: CsvRow, { left, headers }: BookGrid, above: Map<number, string>): CsvRow {
  const cells = [...row.cells]
  for (const at of left.slice(0, -1)) {
    const isRepeated = subjectsOfHeader(headers[at] ?? '').some(
      ({ subject }) => subject === 'place' || subject === 'crop',
    )
    if ((cells[at] ?? '').trim() !== '') above.set(at, cells[at] ?? '')
    else if (isRepeated) cells[at] = above.get(at) ?? ''
  }
  return { ...row, cells }
}

function cellsOfRow(row: CsvRow, { left, across, subject }: BookGrid): readonly Omit<CsvRow, 'row'>[] {
  const beside = left.map((at) => row.cells[at] ?? '')
  const isOfDays = subject === 'timestamp'
  const isSum = beside.some(saysTotal) || (row.isSum === true && beside.every((cell) => cell.trim() === ''))
  if (isSum || beside.every((cell) => cell.trim() === '')) return []
  return [...across].flatMap(([at, said]) => {
    const cell = row.cells[at] ?? ''
    if (nothing.test(cell)) return []
    const { name, unit } = isOfDays ? { name: said, unit: '' } : unitBehind(said)
    const isPlain = numberBy('.', cell) !== undefined || numberBy(',', cell) !== undefined
    const numbers = new Set(left.flatMap((one, index) => (row.numbers?.has(one) ? [index] : [])))
    if (row.numbers?.has(at)) numbers.add(left.length + 1)
    const text = unit !== '' && isPlain ? `${cell} ${unit}` : cell
    const place = `${lettersOf(at)}${row.row}`
    return [{ cells: [...beside, name, text], numbers, place, ...(row.isHidden ? { isHidden: true } : {}) }]
  })
}

/** `Salat (kg)`: the name and the unit. */
function unitBehind(header: string): { readonly name: string; readonly unit: string } {
  const [, name = header, unit = ''] = /^(.*?)\s*[([]\s*([^()[\]]{1,20}?)\s*[)\]]\s*$/s.exec(header) ?? []
  return { name, unit }
}

/** The column as spreadsheets name it: A, B, …, AA. */
export function lettersOf(at: number): string {
  const rest = String.fromCharCode(65 + (at % 26))
  return at < 26 ? rest : lettersOf(Math.floor(at / 26) - 1) + rest
}

/** Headers in the language of the sheet; the first column of a grid of days needs none. */
function headersOfGrid({ headers, left, title, subject }: BookGrid): readonly string[] {
  const own = left.map((at) => headers[at] ?? '')
  const [language = 'en'] = languagesOfHeaders(
    own.some((one) => subjectsOfHeader(one).length > 0) ? own : title.flatMap(({ cells }) => cells),
  )
  const word = (one: ColumnSubject) => capital(sheetWords[language]?.headers[one][0] ?? one)
  const beside = own.map((header, index) => (header.trim() === '' && index === 0 ? word('crop') : header))
  const unit = own.some((header) => subjectsOfHeader(header).some((one) => one.subject === 'unit'))
    ? ''
    : unitOfTitle(title)
  return [...beside, word(subject), word('amount') + (unit === '' || subject !== 'timestamp' ? '' : ` (${unit})`)]
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `Ernte 2024 in kg`, `Harvest (lb)`: the unit of all cells. */
function unitOfTitle(title: readonly CsvRow[]): string {
  const texts = title.flatMap(({ cells }) => cells)
  const found = texts.flatMap((text) =>
    [...text.matchAll(/(?:\b(?:in|en)\s+|[([])\s*([\p{L}²³]{1,12})/giu)].map(([, word = '']) => word),
  )
  return found.find((word) => measureOfUnit(plainWord(word)) !== undefined) ?? ''
}
