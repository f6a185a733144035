import { offsetAt } from '../../fields/time.ts'
import { isWeekday, monthOf } from '../../words/sheet-words.ts'
import type { UnclearColumn } from './decimals.ts'

/** The order of day, month and year. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'
export const dateOrders: readonly DateOrder[] = ['dmy', 'mdy', 'ymd']

interface WrittenDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/

/** The day that a text means in that order; undefined if none. */
export function dayBy(order: DateOrder, text: string): WrittenDay | undefined {
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

/** Two-digit years up to 69 are in this century, similar to spreadsheets. */
function fullYear(digits: string): number {
  const number = Number(digits)
  if (digits.length !== 2) return number
  return number < 70 ? 2000 + number : 1900 + number
}

function existing({ year, month, day }: WrittenDay): WrittenDay | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere && year > 0 ? { year, month, day } : undefined
}

export const spelledDay = ({ year, month, day }: WrittenDay): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

interface DatedCell {
  readonly row: number
  readonly text: string
}

/** The date order of a column, or the reason why it is ambiguous. */
type OrderOfColumn = { readonly order: DateOrder } | UnclearColumn

const words: Readonly<Record<DateOrder, string>> = { dmy: 'day first', mdy: 'month first', ymd: 'year first' }

/** Collects evidence for the date order of one column. */
export class DateEvidence {
  #possible = dateOrders
  #last: DatedCell | undefined
  #doubt: DatedCell | undefined
  #contradiction: { readonly one: DatedCell; readonly other: DatedCell } | undefined

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
    const shownReadings = readings.map(([day, order]) => `${day} (${words[order]})`)
    const allowed = readings.map(([, order]) => `dates=${order}`)
    const fault = `"${text}" may be ${shownReadings.join(' or ')}; say ${allowed.join(' or ')} to have it read so`
    return { row, text, fault, allowed }
  }
}

/** The orders in which a text is a valid day. Dates with dots always begin with the day. */
function ordersOf(text: string): readonly DateOrder[] {
  const fitting = dateOrders.filter((order) => dayBy(order, text) !== undefined)
  return text.includes('.') && fitting.includes('dmy') ? ['dmy'] : fitting
}

/** The days that a text can mean, each with its first order. */
function readingsOf(text: string, orders: readonly DateOrder[]): ReadonlyMap<string, DateOrder> {
  const readings = new Map<string, DateOrder>()
  for (const order of orders) {
    const day = dayBy(order, text)
    if (day !== undefined && !readings.has(spelledDay(day))) readings.set(spelledDay(day), order)
  }
  return readings
}

interface Clocks {
  readonly order: DateOrder
  /** The time zone of times without an offset. */
  readonly zone: string
}

/** A time in Unix seconds, or the reason why the text is invalid. */
type Moment = { readonly second: number } | { readonly fault: string }

const moment =
  /^(\d{1,4}([-/.])\d{1,2}\2\d{1,4})(?:(?:T|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]0{1,9})?)?(?:\s*([AaPp])\.?[Mm]\.?)?)?\s*(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?$/

/** The day at the beginning of a text, as written; one with the name of its month by its number. */
export const dayWrittenIn = (text: string): string | undefined => moment.exec(inNumbers(text))?.[1]

const dayAndMonth =
  /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s./-]*(?:de\s+)?(\p{L}{3,12})\.?[\s./,-]*(?:del?\s+)?(\d{4}|\d{2})?(?=$|[T,\s])(.*)$/iu
const monthAndDay = /^(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(\d{4}))?(?=$|[,\s])(.*)$/iu

/** `Mo, 3.6.25`, `3-May-25`, `3. Mai 2025`, `May 3, 2025 8:00` with numbers alone; without a year `3.5.` */
export function inNumbers(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length > 60 || !/\p{L}{2}/u.test(trimmed)) return trimmed
  const [, weekday = '', behind = ''] = /^(\p{L}{2,12})\.?,?\s+(.*\d.*)$/u.exec(trimmed) ?? []
  const written = isWeekday(weekday) ? behind : trimmed
  const [, first = '', named = '', last, rest = ''] = dayAndMonth.exec(written) ?? []
  const [, word = '', number = '', ending, after = ''] = monthAndDay.exec(written) ?? []
  const month = monthOf(named) ?? monthOf(word)
  if (month === undefined) return written
  const [day, year, clock] = monthOf(named) === undefined ? [number, ending, after] : [first, last, rest]
  if (year === undefined) return clock.trim() === '' ? `${day}.${month}.` : written
  return `${year.length === 2 ? fullYear(year) : year}-${month}-${day}${clock}`
}

/** A smaller number can be a year, a spreadsheet's day number, or a typo. */
const leastPlainSecond = 100_000_000

const forms = 'write it as 2024-05-01 or 2024-05-01T14:30, or in Unix seconds'

/** A day (at noon), a day with a time, or Unix seconds. A time without an offset is in the given zone. */
export function momentIn(text: string, clocks: Clocks): Moment {
  const trimmed = text.trim()
  if (/^-?\d+$/.test(trimmed)) return plainSecond(trimmed)
  const [, written, , hours = '12', minutes = '00', seconds = '00', half, offset] =
    moment.exec(inNumbers(trimmed)) ?? []
  if (written === undefined) return { fault: `${quoted(text)} is not a time; ${forms}` }
  const day = dayBy(clocks.order, written)
  if (day === undefined) return { fault: `${quoted(text)} is not a day by the order ${clocks.order}; ${forms}` }
  const hour = half === undefined ? Number(hours) : inTwelve(Number(hours), half)
  if (hour === undefined || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return { fault: `${quoted(text)} has no time of a day; ${forms}` }
  const local = secondOf(day) + hour * 3600 + Number(minutes) * 60 + Number(seconds)
  if (offset !== undefined) return { second: local - offsetIn(offset) }
  return byClocksOf(clocks.zone, local, text)
}

function plainSecond(digits: string): Moment {
  const second = Number(digits)
  if (Math.abs(second) >= leastPlainSecond) return { second }
  return { fault: `${quoted(digits)} may be a year, a day of a spreadsheet or Unix seconds; write it as 2024-05-01` }
}

/** In autumn an hour occurs twice, and the first is meant; in spring an hour does not exist. */
function byClocksOf(zone: string, local: number, text: string): Moment {
  const offsets = [offsetAt(zone, local - 86_400), offsetAt(zone, local + 86_400)]
  const seconds = offsets.map((offset) => local - offset).filter((second) => second + offsetAt(zone, second) === local)
  if (seconds.length > 0) return { second: Math.min(...seconds) }
  return { fault: `${quoted(text)} does not exist by the clocks of ${zone}, which were put forward then` }
}

function inTwelve(hours: number, half: string): number | undefined {
  if (hours < 1 || hours > 12) return undefined
  return (hours % 12) + (/p/i.test(half) ? 12 : 0)
}

function secondOf(day: WrittenDay): number {
  return Date.parse(`${spelledDay(day)}T00:00:00Z`) / 1000
}

function offsetIn(offset: string): number {
  if (offset === 'Z') return 0
  const [hours = 0, minutes = 0, seconds = 0] = [...offset.slice(1).matchAll(/\d{2}/g)].map(([digits]) =>
    Number(digits),
  )
  const amount = hours * 3600 + minutes * 60 + seconds
  return offset.startsWith('-') ? -amount : amount
}

const quoted = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)
