import type { Farm, RecordType } from '../../farm/farm.ts'
import { dayAt } from '../../fields/day.ts'
import type { Field } from '../../fields/field.ts'
import { isBlank, isTree, type Tree } from '../../fields/place.ts'
import { DateEvidence, dayWrittenIn } from '../../formats/csv/dates.ts'
import { amountIn, DecimalEvidence } from '../../formats/csv/decimals.ts'
import type { CsvRow } from '../../formats/csv/read-csv.ts'
import { unguarded } from '../../formats/csv/write-csv.ts'
import { separateValues } from '../cells.ts'
import type { InputColumn } from './headers.ts'
import { doneWords, type MatchKey, type SheetOptions } from './import-options.ts'
import { type CellRules, isAmount, type RowFault } from './read-cell.ts'

/** Decimal sign and date order of a column. */
type ColumnForm = Pick<CellRules, 'sign' | 'order'>

/** A sheet with known columns and options. */
export interface SheetInput {
  readonly farm: Farm
  readonly type: RecordType
  readonly options: SheetOptions
  /** The identifying column; undefined if all rows are new. */
  readonly match: MatchKey | undefined
  readonly headRow: number
  /** The cell of the title or headers that mentions a plan. */
  readonly plan: { readonly row: number; readonly value: string } | undefined
  readonly columns: readonly InputColumn[]
  /** Indexes of columns that the user skipped. */
  readonly leftOut: ReadonlySet<number>
  readonly forms: ReadonlyMap<number, ColumnForm>
  readonly zone: string
  /** In which its headers are written. */
  readonly languages: readonly string[]
  /** What types are called in the language of the farm. */
  readonly labels: Readonly<Record<string, string>>
}

export interface RowGroup {
  readonly rows: readonly [CsvRow, ...CsvRow[]]
}

/** The text of a cell, without the mark that stops spreadsheets from evaluating it. */
export const cellIn = ({ cells }: CsvRow, column: Pick<InputColumn, 'at'> | undefined): string =>
  column === undefined ? '' : unguarded(cells[column.at] ?? '')

export const columnFor = ({ columns }: Pick<SheetInput, 'columns'>, use: InputColumn['use']): InputColumn | undefined =>
  columns.find((column) => column.use === use)

export const columnNamed = ({ columns }: Pick<SheetInput, 'columns'>, name: string): InputColumn | undefined =>
  columns.find((column) => column.name === name)

/** Kinds in which white space alone is a value. */
const texts: readonly string[] = ['text', 'long-text', 'rich-text']

export const isEmpty = ({ field }: Pick<InputColumn, 'field'>, cell: string): boolean =>
  isBlank(texts.includes(field.kind) ? cell : cell.trim())

/** The current value of a column's field, as stored. */
type KnownNumber = (column: InputColumn) => string | undefined

/** Detects the number and date format of each column if the user gives none. */
export class ColumnForms {
  readonly #options: Pick<SheetOptions, 'decimal' | 'dates'>
  readonly #decimals: ReadonlyMap<InputColumn, DecimalEvidence>
  readonly #dates: ReadonlyMap<InputColumn, DateEvidence>

  constructor(columns: readonly InputColumn[], options: Pick<SheetOptions, 'decimal' | 'dates'>) {
    this.#options = options
    const read = columns.filter(({ use }) => use === 'value' || use === 'topic' || use === 'created')
    const numbers = options.decimal === undefined ? read.filter(({ field }) => hasNumbers(field)) : []
    const days = options.dates === undefined ? read.filter(({ field }) => hasDays(field)) : []
    this.#decimals = new Map(numbers.map((column) => [column, new DecimalEvidence()]))
    this.#dates = new Map(days.map((column) => [column, new DateEvidence()]))
  }

  add(row: CsvRow, numberBefore: KnownNumber = () => undefined): void {
    for (const [column, evidence] of this.#decimals) {
      if (row.numbers?.has(column.at)) continue
      for (const text of numbersIn(column, cellIn(row, column))) evidence.add(row.row, text, numberBefore(column))
    }
    for (const [column, evidence] of this.#dates) {
      const day = dayWrittenIn(cellIn(row, column))
      if (day !== undefined) evidence.add(row.row, day)
    }
  }

  /** True if values of existing records would decide. */
  get isInDoubt(): boolean {
    return [...this.#decimals.values()].some(({ isInDoubt }) => isInDoubt)
  }

  /** Formats by column index. An undecidable column is a fault. */
  forms(columns: readonly InputColumn[], faults: RowFault[]): ReadonlyMap<number, ColumnForm> {
    const forms = new Map<number, ColumnForm>()
    for (const column of columns) {
      const sign = this.#decimals.get(column)?.sign() ?? { sign: this.#options.decimal ?? '.' }
      const order = this.#dates.get(column)?.order() ?? { order: this.#options.dates ?? 'ymd' }
      for (const found of [sign, order]) {
        if (!('fault' in found)) continue
        const { row, text: value, fault: message, allowed } = found
        faults.push({ row, column: column.header, value, message, ...(allowed === undefined ? {} : { allowed }) })
      }
      if ('sign' in sign && 'order' in order) forms.set(column.at, { sign: sign.sign, order: order.order })
    }
    return forms
  }

  /** Columns with numbers, and with dates. */
  get found(): { readonly numbers: readonly InputColumn[]; readonly days: readonly InputColumn[] } {
    return { numbers: [...this.#decimals.keys()], days: [...this.#dates.keys()] }
  }
}

export const hasNumbers = (field: Field): boolean =>
  field.kind === 'decimal' || field.kind === 'whole' || (field.kind === 'part' && isAmount(field))

export const hasDays = ({ kind }: Field): boolean => kind === 'timestamp'

function numbersIn({ field }: InputColumn, cell: string): readonly string[] {
  const text = cell.trim()
  if (text === '' || /^[[{]/.test(text)) return []
  const each = field.kind === 'part' ? separateValues(text) : [text]
  return each.map((one) => amountIn(one)?.number ?? one)
}

/** A row for a new log, and the time of the import. */
interface NewLog {
  readonly group: RowGroup
  readonly tree: Tree
  readonly bundle: string | undefined
  readonly now: number
}

/** Adds `done` to a new log whose row does not say it: a log of today or earlier is done. */
export function withDone(sheet: SheetInput, { tree, now }: Pick<NewLog, 'tree' | 'now'>): Tree {
  const { done } = sheet.options
  const isSaid = tree.done !== undefined || (done === undefined && columnNamed(sheet, 'done') !== undefined)
  if (sheet.type.name !== 'log' || isSaid) return tree
  return { ...tree, done: done === '1' || (done !== '0' && isPast(sheet, tree, now)) }
}

/** Compares days in the farm's zone. An invalid time is not past. */
function isPast({ zone }: SheetInput, { timestamp }: Tree, now: number): boolean {
  const second = Number(timestamp)
  return second <= now || (second < now + longestDay && dayAt(second, zone) === dayAt(now, zone))
}

/** 25 hours and more, where clocks are put back. */
const longestDay = 2 * 86_400

/** Explains why the date does not decide whether a log is done. The user is asked once per sheet. */
export function doubtAboutDone(sheet: SheetInput, log: NewLog): RowFault | undefined {
  const { type, options, plan } = sheet
  if (type.name !== 'log' || options.done !== undefined || columnNamed(sheet, 'done') !== undefined) return undefined
  if (plan !== undefined)
    return { ...plan, column: plan.value, message: `seems to say that these logs are planned; ${advice}`, allowed }
  const isHarvest = type.bundles[log.bundle ?? '']?.report === 'harvest'
  if (!isHarvest || !isPast(sheet, log.tree, log.now) || hasAmount(log.tree)) return undefined
  const message = `is a harvest of the past without an amount: it may be done or planned; ${advice}`
  return { row: log.group.rows[0].row, column: 'done', value: '', message, allowed }
}

const allowed = doneWords.map((word) => `done=${word}`)
const advice = 'say done=1 (all are done), done=0 (all are planned) or done=day (each by its day)'

function hasAmount({ quantity }: Tree): boolean {
  const each: readonly unknown[] = Array.isArray(quantity) ? quantity : [quantity]
  return each.some((one) => isTree(one) && one.value !== undefined && one.value !== null && one.value !== '')
}

/** Words for plans: alone, at the end of a longer one (*Anbauplan*), or before what is planned (*Planmenge*). */
const planned =
  /(?:plan|plans|planned|planning|planung|geplante?[mnrs]?|planificad[oa]s?|planificaci[oó]n|planead[oa]s?)(?!\p{L})|(?<!\p{L})plan(?:menge|datum|termin|jahr|wert)/iu

/** The first cell of the title or the headers that mentions a plan. */
export function planIn(type: RecordType, rows: readonly CsvRow[]): Pick<RowFault, 'row' | 'value'> | undefined {
  if (type.name !== 'log') return undefined
  for (const { row, cells } of rows) {
    const value = cells.find((cell) => planned.test(cell))
    if (value !== undefined) return { row, value }
  }
  return undefined
}
