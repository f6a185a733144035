/** Days are counted from 1970-01-01, and become times in the zone of the machine that makes the demo. */
export interface Calendar {
  /** The demo farm's first day. */
  readonly firstDay: number
  /** Work due today or later is still planned. */
  readonly today: number
  /** The last day for which work is planned. */
  readonly horizon: number
  /** Years the demo covers. */
  readonly years: readonly number[]
}

const dayLength = 86_400_000

export const dayOf = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date) / dayLength

export const yearOf = (day: number): number => new Date(day * dayLength).getUTCFullYear()

export const monthOf = (day: number): number => new Date(day * dayLength).getUTCMonth() + 1

/** True if a day is in these months; the range may cross the new year. */
export function isWithin([from, until]: readonly [from: number, until: number], day: number): boolean {
  const month = monthOf(day)
  return from <= until ? month >= from && month <= until : month >= from || month <= until
}

/** In Unix seconds. */
export const timeOf = (day: number, minutes: number): number =>
  new Date(yearOf(day), 0, 1 + day - dayOf(yearOf(day), 1, 1), 0, minutes).getTime() / 1000

/** The day of a time in Unix seconds. */
export function dayAt(time: number): number {
  const date = new Date(time * 1000)
  return dayOf(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** On Sundays, at Christmas and at New Year only urgent work is done. */
const isHoliday = (day: number): boolean =>
  new Date(day * dayLength).getUTCDay() === 0 || /-(12-2[56]|01-01)T/.test(new Date(day * dayLength).toISOString())

export const onWorkday = (day: number): number => (isHoliday(day) ? onWorkday(day + 1) : day)

/** Three years that end today, and the next six weeks. */
export function calendarOf(today: number): Calendar {
  const firstDay = dayOf(yearOf(today) - 3, monthOf(today), 1)
  const horizon = today + 42
  const years = Array.from({ length: yearOf(horizon) - yearOf(firstDay) + 1 }, (_, index) => yearOf(firstDay) + index)
  return { firstDay, today, horizon, years }
}

export function* everyDays(days: number, from: number, until: number): Generator<number> {
  for (let day = from; day <= until; day += days) yield day
}
