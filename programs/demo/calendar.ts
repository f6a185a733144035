/** Days are counted from 1970-01-01, and become times by the clock on the wall of the machine that the demo is made on. */
export interface Calendar {
  /** The demo farm's first day. */
  readonly firstDay: number
  /** What is due today or later is still to be done. */
  readonly today: number
  /** As far ahead as work is planned. */
  readonly horizon: number
  /** Of which there is something to tell. */
  readonly years: readonly number[]
}

const dayLength = 86_400_000

export const dayOf = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date) / dayLength

export const yearOf = (day: number): number => new Date(day * dayLength).getUTCFullYear()

export const monthOf = (day: number): number => new Date(day * dayLength).getUTCMonth() + 1

/** Whether a day lies in certain months, also over the turn of the year. */
export function isWithin([from, until]: readonly [from: number, until: number], day: number): boolean {
  const month = monthOf(day)
  return from <= until ? month >= from && month <= until : month >= from || month <= until
}

/** In Unix seconds. */
export const timeOf = (day: number, minutes: number): number =>
  new Date(yearOf(day), 0, 1 + day - dayOf(yearOf(day), 1, 1), 0, minutes).getTime() / 1000

/** The day on which that time falls, in Unix seconds. */
export function dayAt(time: number): number {
  const date = new Date(time * 1000)
  return dayOf(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** On Sundays, at Christmas and at New Year there is only what cannot wait. */
const isHoliday = (day: number): boolean =>
  new Date(day * dayLength).getUTCDay() === 0 || /-(12-2[56]|01-01)T/.test(new Date(day * dayLength).toISOString())

export const onWorkday = (day: number): number => (isHoliday(day) ? onWorkday(day + 1) : day)

/** Three years that end today, and the six weeks to come. */
export function calendarOf(today: number): Calendar {
  const firstDay = dayOf(yearOf(today) - 3, monthOf(today), 1)
  const horizon = today + 42
  const years = Array.from({ length: yearOf(horizon) - yearOf(firstDay) + 1 }, (_, index) => yearOf(firstDay) + index)
  return { firstDay, today, horizon, years }
}

/** Every so many days from one to another. */
export function* everyDays(days: number, from: number, until: number): Generator<number> {
  for (let day = from; day <= until; day += days) yield day
}
