import { offsetAt } from './time.ts'

const secondsOfDay = 86_400
const dayPattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** Days since 1970-01-01; undefined for an invalid date. */
export function dayIn(text: string): number | undefined {
  if (!dayPattern.test(text)) return undefined
  const milliseconds = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(milliseconds) || spelledDay(milliseconds / 86_400_000) !== text
    ? undefined
    : milliseconds / 86_400_000
}

export const spelledDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The day of that second by the clocks of the zone. */
export const dayAt = (second: number, zone: string): number =>
  Math.floor((second + offsetAt(zone, second)) / secondsOfDay)

/** The Monday of its week. */
export const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

/** The first second of the day by the clocks of the zone; where they are put forward then, that is not midnight. */
export function beginningOf(day: number, zone: string): number {
  const local = day * secondsOfDay
  const offsets = [offsetAt(zone, local - secondsOfDay), offsetAt(zone, local + secondsOfDay)]
  const exact = offsets.map((offset) => local - offset).filter((second) => second + offsetAt(zone, second) === local)
  if (exact.length > 0) return Math.min(...exact)
  let [before, from] = [local - Math.max(...offsets), local - Math.min(...offsets)]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (middle + offsetAt(zone, middle) >= local) from = middle
    else before = middle
  }
  return from
}
