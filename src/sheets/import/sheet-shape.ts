import { inNumbers } from '../../formats/csv/dates.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { measureOfUnit } from '../../reports/units.ts'
import { monthOf, saysTotal, subjectsOfHeader } from '../../words/sheet-words.ts'
import {
  type BookGrid,
  gridOfDays,
  gridOfNames,
  isWeekHeader,
  type ShapeNote,
  tableOfGrid,
  withMonth,
} from './book-grids.ts'
import { rowsLookedAt } from './column-guesses.ts'
import type { InputColumn } from './headers.ts'
import type { SheetOptions } from './import-options.ts'
import type { RowFault } from './read-cell.ts'
import { rowsOf, type SheetSource } from './sheet-source.ts'

interface BookContext {
  readonly year: number | undefined
  readonly isKnown: (header: string) => boolean
  /** Whether rows are harvests, in which crops can stand across. */
  readonly areHarvests: boolean
  /** Whether most of these names are areas of the farm. */
  readonly areAreas: (names: readonly string[]) => Promise<boolean>
}

interface BookTable {
  readonly source: SheetSource
  readonly notes: readonly ShapeNote[]
}

/** A book of logs as a table: a grid becomes rows, and days that are numbers alone get the month of their title. */
export async function tableOfBook(source: SheetSource, context: BookContext): Promise<BookTable> {
  const first: CsvRow[] = []
  for await (const row of rowsOf(source)) if (first.push(row) === rowsLookedAt) break
  const notes = source.notes ?? []
  const sheet = source.found.format === 'xlsx' ? source.found.sheet : ''
  if (first.some(({ cells }) => cells.filter(isDayHeader).length >= 3)) {
    const grid = gridOfDays(first, { ...context, sheet })
    if (grid !== undefined) return tableOfGrid(source, grid)
  }
  const heads = first.filter(({ cells }) => cells.some(isDayColumn))
  if (context.areHarvests && heads.length > 0 && !heads.some(({ cells }) => cells.some(isTaskHeader))) {
    const grid = gridOfNames(first, { ...context, sheet })
    if (grid !== undefined) return tableOfGrid(source, await withPlaces(grid, context))
  }
  const saysMonth = [sheet, ...first.flatMap(({ cells }) => cells)].some((text) => text.split(/[\s_]+/).some(monthOf))
  const isOfWeeks = first.some(({ cells }) => cells.some(isWeekHeader))
  const isOfMonth = (saysMonth || isOfWeeks) && withMonth(first, { sheet, year: context.year }) !== first
  if (!isOfMonth) return { source, notes }
  const rows: CsvRow[] = []
  for await (const row of rowsOf(source)) rows.push(row)
  const dated = withMonth(rows, { sheet, year: context.year })
  const count = dated.filter((row, index) => row !== rows[index]).length
  return {
    source: {
      ...source,
      async *slices() {
        yield dated
      },
    },
    notes: [...notes, { what: isOfWeeks ? 'year' : 'month', count, rows: [] }],
  }
}

const isDayHeader = (cell: string): boolean =>
  /^\s*(?:\d{1,4}([./-])\d{1,2}(?:\1(?:\d{2,4}.*)?)?|(?:[kc]?w\p{L}*|s|sem\p{L}*)\.?\s*\d{1,2}|\d{1,2}\.?)\s*$/iu.test(
    cell,
  ) ||
  (cell.length < 20 && monthOf(cell.replace(/[\d\s.'’-]+$/, '')) !== undefined)

const isDayColumn = (cell: string): boolean =>
  cell.length < 40 && subjectsOfHeader(cell).some(({ subject }) => subject === 'timestamp')

async function withPlaces(grid: BookGrid, { areAreas }: BookContext): Promise<BookGrid> {
  return (await areAreas([...grid.across.values()])) ? { ...grid, subject: 'place' } : grid
}

interface BookColumns {
  readonly headRow: number
  readonly title: readonly CsvRow[]
  readonly columns: readonly InputColumn[]
  readonly options: Pick<SheetOptions, 'year' | 'fill' | 'file'>
  readonly thisYear: number
  /** Whether rows make logs, and none of them says which log it is about. */
  readonly areNewLogs: boolean
}

interface ShapedSheet {
  readonly source: SheetSource
  readonly notes: readonly ShapeNote[]
  readonly faults: readonly RowFault[]
}

/** The rows of a book as a table: sums left out, what is written once for several rows in each of them. */
export async function shapedSheet(source: SheetSource, book: BookColumns): Promise<ShapedSheet> {
  const notes = new Map<string, { what: ShapeNote['what']; column?: string; count: number; rows: number[] }>()
  const note = (what: ShapeNote['what'], row: number, column?: string) => {
    const key = `${what} ${column ?? ''}`
    const one = notes.get(key) ?? { what, ...(column === undefined ? {} : { column }), count: 0, rows: [] }
    one.count += 1
    if (one.rows.length < 20) one.rows.push(row)
    notes.set(key, one)
  }
  for (const { row } of book.title) note('title', row)
  const survey = await surveyOf(source, book)
  const day = columnOfDay(book)
  const faults =
    survey.withoutYear === undefined || book.options.year !== undefined
      ? []
      : [yearFault(survey.withoutYear, book, source)]
  const shape = rowShaper(book, { filled: survey.filled, note })
  // Once, to know what there is to be told; the rows themselves are shaped again whenever they are read.
  for await (const row of rowsOf(source)) shape(row)
  const silent = rowShaper(book, { filled: survey.filled, note: () => undefined })
  const shaped: SheetSource = {
    ...source,
    async *slices() {
      silent.reset()
      for await (const slice of source.slices()) yield slice.flatMap((row) => silent(row) ?? [])
    },
  }
  const isAsIs =
    notes.size === 0 ||
    (day === undefined &&
      !book.areNewLogs &&
      notes.size === [...notes.values()].filter(({ what }) => what === 'title' || what === 'hidden').length)
  return { source: isAsIs ? source : shaped, notes: [...notes.values()], faults }
}

interface BookSurvey {
  /** Columns whose empty cells repeat what stands above. */
  readonly filled: readonly InputColumn[]
  readonly withoutYear: Pick<RowFault, 'row' | 'column' | 'value'> | undefined
}

const dayWithoutYear = /^\s*(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\.?\s*$/

const columnOfDay = ({ columns }: Pick<BookColumns, 'columns'>): InputColumn | undefined =>
  columns.find(({ name }) => name === 'timestamp')

const isPlace = ({ name, topic }: InputColumn): boolean =>
  name === 'area' || name === 'movement.area' || topic?.subject === 'crop'

async function surveyOf(source: SheetSource, book: BookColumns): Promise<BookSurvey> {
  const day = columnOfDay(book)
  const places = book.columns.filter(isPlace)
  const said = new Map(places.map((column) => [column, 0]))
  let [rows, first, withoutYear]: [number, CsvRow | undefined, BookSurvey['withoutYear']] = [0, undefined, undefined]
  for await (const row of rowsOf(source)) {
    if (row.row <= book.headRow || isTotal(row, day)) continue
    first ??= row
    rows += 1
    const text = day === undefined ? '' : inNumbers(row.cells[day.at] ?? '')
    if (day !== undefined && dayWithoutYear.test(text))
      withoutYear ??= { row: row.row, column: day.header, value: text }
    for (const column of places) if (hasText(row, column)) said.set(column, (said.get(column) ?? 0) + 1)
  }
  const isWrittenOnce = (column: InputColumn) =>
    first !== undefined && hasText(first, column) && (said.get(column) ?? 0) * 3 < rows * 2
  // Programs name fields, and leave nothing to be filled in.
  const isOfPeople = day === undefined || day.header.trim() !== day.name
  if (!book.areNewLogs || !isOfPeople || book.options.fill === '0') return { filled: [], withoutYear }
  const days = day !== undefined && first !== undefined && hasText(first, day) ? [day] : []
  return { filled: [...days, ...places.filter(isWrittenOnce)], withoutYear }
}

const hasText = ({ cells }: CsvRow, { at }: Pick<InputColumn, 'at'>): boolean => (cells[at] ?? '').trim() !== ''

/** A row that adds up others: it says so, or its spreadsheet does, and it has no day of its own. */
function isTotal(row: CsvRow, day: InputColumn | undefined): boolean {
  const texts = row.cells.filter((cell) => cell.trim() !== '')
  const says = texts.some(saysSum)
  if (day === undefined) return says && texts.length <= 3
  const ownDay = (row.cells[day.at] ?? '').trim()
  return (says || row.isSum === true) && (ownDay === '' || saysSum(ownDay))
}

/** `Summe`, and `Summe Stunden`. */
function saysSum(cell: string): boolean {
  const [, total = '', unit = ''] = (cell.length < 60 && /^(.*\S)\s+(\S+)$/.exec(cell.trim())) || []
  return saysTotal(cell) || (total !== '' && saysTotal(total) && measureOfUnit(unit) !== undefined)
}

interface ShapeContext {
  readonly filled: readonly InputColumn[]
  readonly note: (what: ShapeNote['what'], row: number, column?: string) => void
}

/** Shapes one row after the other; nothing where a row is left out. */
function rowShaper(book: BookColumns, { filled, note }: ShapeContext) {
  const day = columnOfDay(book)
  const otherDays = book.columns.filter(({ topic, header }) => topic?.subject === 'more-notes' && isDayColumn(header))
  const above = new Map<number, string>()
  const shape = (row: CsvRow): CsvRow | undefined => {
    if (row.row <= book.headRow) return row
    if (book.areNewLogs && isTotal(row, day)) {
      note('totals', row.row)
      return undefined
    }
    if (row.isHidden) note('hidden', row.row)
    const cells = [...row.cells]
    // A task that was never completed has the day on which it was due.
    const due = day !== undefined && !hasText(row, day) ? otherDays.find((one) => hasText(row, one)) : undefined
    if (day !== undefined && due !== undefined) {
      cells[day.at] = cells[due.at] ?? ''
      note('filled', row.row, day.header)
    }
    for (const { at, header } of filled) {
      const last = above.get(at)
      if ((cells[at] ?? '').trim() !== '') above.set(at, cells[at] ?? '')
      else if (last !== undefined) {
        while (cells.length < at) cells.push('')
        cells[at] = last
        note('filled', row.row, header)
      }
    }
    const [, one, sign, other] = (day === undefined ? null : dayWithoutYear.exec(inNumbers(cells[day.at] ?? ''))) ?? []
    if (day !== undefined && sign !== undefined && book.options.year !== undefined) {
      cells[day.at] = `${one}${sign}${other}${sign}${book.options.year}`
      note('year', row.row, day.header)
    }
    return { ...row, cells }
  }
  return Object.assign(shape, { reset: () => above.clear() })
}

/** Days without a year: it is asked for once, with the years that title, sheet or file name, else this year and the last. */
function yearFault(
  place: Pick<RowFault, 'row' | 'column' | 'value'>,
  { title, options, thisYear }: BookColumns,
  { found }: SheetSource,
): RowFault {
  const texts = [...title.flatMap(({ cells }) => cells), found.format === 'xlsx' ? found.sheet : '', options.file ?? '']
  const years = [...new Set(texts.flatMap((text) => text.match(/(?<!\d)(?:19|20)\d{2}(?!\d)/g) ?? []))]
  const offered = years.length > 0 ? years : [thisYear, thisYear - 1]
  const allowed = offered.slice(0, 5).map((year) => `year=${year}`)
  return { ...place, message: `has no year; say it, such as ${allowed[0]}`, allowed }
}

/** A book of tasks has no crops across. */
const isTaskHeader = (cell: string): boolean =>
  subjectsOfHeader(cell).some(({ subject }) => subject === 'name' || subject === 'kind')
