import type { UnclearColumn } from './unclear-column.ts'

/** In which order day, month and year stand. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'
export const dateOrders: readonly DateOrder[] = ['dmy', 'mdy', 'ymd']

export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/

/** The day that a text is by that order; undefined where there is none. */
export function dayBy(order: DateOrder, text: string): Day | undefined {
  const [, year, , month, day] = yearFirst.exec(text) ?? []
  if (year !== undefined) return existing({ year: Number(year), month: Number(month), day: Number(day) })
  const [, first = '', , second = '', third = ''] = yearLast.exec(text) ?? []
  if (order !== 'ymd')
    return existing({
      year: fullYear(third),
      month: Number(order === 'dmy' ? second : first),
      day: Number(order === 'dmy' ? first : second),
    })
  return third.length === 2 ? existing({ year: fullYear(first), month: Number(second), day: Number(third) }) : undefined
}

/** Of two digits: those of this century up to 2069, as spreadsheets have it nearly. */
function fullYear(digits: string): number {
  const number = Number(digits)
  if (digits.length !== 2) return number
  return number < 70 ? 2000 + number : 1900 + number
}

function existing({ year, month, day }: Day): Day | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere && year > 0 ? { year, month, day } : undefined
}

export const spelledDay = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

interface Seen {
  readonly row: number
  readonly text: string
}

/** In which order the days of a column stand, or why that cannot be told. */
type OrderOfColumn = { readonly order: DateOrder } | UnclearColumn

const words: Readonly<Record<DateOrder, string>> = { dmy: 'day first', mdy: 'month first', ymd: 'year first' }

/** Gathers what the cells of one column say about the order of their days. */
export class DateEvidence {
  #possible = dateOrders
  #last: Seen | undefined
  #doubt: Seen | undefined
  #contradiction: { readonly one: Seen; readonly other: Seen } | undefined

  add(row: number, text: string): void {
    const fitting = ordersOf(text)
    if (fitting.length === 0 || yearFirst.test(text)) return
    const left = this.#possible.filter((order) => fitting.includes(order))
    const seen = { row, text }
    if (left.length === 0 && this.#last !== undefined) this.#contradiction ??= { one: this.#last, other: seen }
    else if (left.length < this.#possible.length) {
      this.#possible = left
      this.#last = seen
    }
    if (readingsOf(text, fitting).size > 1) this.#doubt ??= seen
  }

  order(): OrderOfColumn {
    if (this.#contradiction !== undefined) {
      const { one, other } = this.#contradiction
      return {
        ...other,
        fault: `"${other.text}" and "${one.text}" in row ${one.row} have their days in another order; write all in one way`,
      }
    }
    const [first = 'ymd', second] = this.#possible
    if (second === undefined || this.#doubt === undefined) return { order: first }
    const { row, text } = this.#doubt
    const readings = [...readingsOf(text, this.#possible)]
    if (readings.length < 2) return { order: first }
    const told = readings.map(([day, order]) => `${day} (${words[order]})`)
    const allowed = readings.map(([, order]) => `dates=${order}`)
    const fault = `"${text}" may be ${told.join(' or ')}; say ${allowed.join(' or ')} to have it read so`
    return { row, text, fault, allowed }
  }
}

/** The orders in which a text is a day. One with points is written with its day first everywhere. */
function ordersOf(text: string): readonly DateOrder[] {
  const fitting = dateOrders.filter((order) => dayBy(order, text) !== undefined)
  return text.includes('.') && fitting.includes('dmy') ? ['dmy'] : fitting
}

/** The days that a text may be, each with the first order that says so. */
function readingsOf(text: string, orders: readonly DateOrder[]): ReadonlyMap<string, DateOrder> {
  const readings = new Map<string, DateOrder>()
  for (const order of orders) {
    const day = dayBy(order, text)
    if (day !== undefined && !readings.has(spelledDay(day))) readings.set(spelledDay(day), order)
  }
  return readings
}
