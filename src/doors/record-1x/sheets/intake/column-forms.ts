import type { Field } from '../../../../fields/field.ts'
import { DateEvidence } from '../../../../formats/csv/date-order.ts'
import { amountIn, DecimalEvidence } from '../../../../formats/csv/decimal-sign.ts'
import { dayWrittenIn } from '../../../../formats/csv/moment.ts'
import type { CsvRow } from '../../../../formats/csv/read-csv.ts'
import { separateValues } from '../cells/several.ts'
import type { Column } from './columns.ts'
import type { SheetOptions } from './options.ts'
import { isAmount } from './plain-parts.ts'
import { type ColumnForm, cellIn } from './sheet.ts'
import type { SheetFault } from './sheet-fault.ts'

/** What a record says already in the field of a column, as a number is kept. */
type KnownNumber = (column: Column) => string | undefined

/** Finds out how the numbers and days of each column are written, where nobody says so. */
export class ColumnForms {
  readonly #options: Pick<SheetOptions, 'decimal' | 'dates'>
  readonly #decimals: ReadonlyMap<Column, DecimalEvidence>
  readonly #dates: ReadonlyMap<Column, DateEvidence>

  constructor(columns: readonly Column[], options: Pick<SheetOptions, 'decimal' | 'dates'>) {
    this.#options = options
    const read = columns.filter(({ use }) => use === 'value' || use === 'created')
    const numbers = options.decimal === undefined ? read.filter(({ field }) => hasNumbers(field)) : []
    const days = options.dates === undefined ? read.filter(({ field }) => hasDays(field)) : []
    this.#decimals = new Map(numbers.map((column) => [column, new DecimalEvidence()]))
    this.#dates = new Map(days.map((column) => [column, new DateEvidence()]))
  }

  add(row: CsvRow, numberBefore: KnownNumber = () => undefined): void {
    for (const [column, evidence] of this.#decimals) {
      for (const text of numbersIn(column, cellIn(row, column))) evidence.add(row.row, text, numberBefore(column))
    }
    for (const [column, evidence] of this.#dates) {
      const day = dayWrittenIn(cellIn(row, column))
      if (day !== undefined) evidence.add(row.row, day)
    }
  }

  /** Whether what the records say already would help. */
  get isInDoubt(): boolean {
    return [...this.#decimals.values()].some(({ isInDoubt }) => isInDoubt)
  }

  /** By the places of the columns; where it cannot be told is a fault. */
  forms(columns: readonly Column[], faults: SheetFault[]): ReadonlyMap<number, ColumnForm> {
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

  /** The columns that have numbers, and days. */
  get found(): { readonly numbers: readonly Column[]; readonly days: readonly Column[] } {
    return { numbers: [...this.#decimals.keys()], days: [...this.#dates.keys()] }
  }
}

export const hasNumbers = (field: Field): boolean =>
  field.kind === 'decimal' || field.kind === 'whole' || (field.kind === 'part' && isAmount(field))

export const hasDays = ({ kind }: Field): boolean => kind === 'timestamp'

function numbersIn({ field }: Column, cell: string): readonly string[] {
  const text = cell.trim()
  if (text === '' || /^[[{]/.test(text)) return []
  const each = field.kind === 'part' ? separateValues(text) : [text]
  return each.map((one) => amountIn(one)?.number ?? one)
}
