import type { PeriodField, TimestampField } from './field.ts'
import { isBlank, isTree, isUnfilled, type Place, shown } from './place.ts'
import type { Period } from './value.ts'

/** The first and the last second of the years 1 to 9999. */
const firstSecond = -62_135_596_800
export const lastSecond = 253_402_300_799

export const timestamp = (label: string, traits: Partial<TimestampField> = {}): TimestampField => ({
  kind: 'timestamp',
  label,
  ...traits,
})

export const period = (label: string, traits: Partial<PeriodField> = {}): PeriodField => ({
  kind: 'period',
  label,
  ...traits,
})

const example = 'a Unix timestamp in whole seconds, such as "1600000000"'

export function takeTimestamp(field: TimestampField, input: unknown, place: Place): number | undefined {
  if (field.unset !== undefined && (input === false || input === 'false')) return field.unset
  const seconds = wholeNumber(input)
  if (seconds === undefined) return place.fault(`must be ${example}, not ${shown(input)}`)
  if (seconds >= firstSecond && seconds <= lastSecond) return seconds
  return place.fault(
    /^-?\d{13}$/.test(String(seconds))
      ? `looks like milliseconds; it must be ${example}`
      : 'lies outside the years 1 to 9999',
  )
}

/** The last is worked out: it comes back with a record that was read. */
const periodMembers: readonly string[] = ['value', 'value2', 'duration']

export function takePeriod(_field: PeriodField, input: unknown, place: Place): Period | undefined {
  if (!isTree(input)) return place.fault(`must be {"value": start, "value2": end}, not ${shown(input)}`)
  if (isUnfilled(input)) return undefined
  const stranger = Object.keys(input).find((name) => !periodMembers.includes(name))
  if (stranger !== undefined) return place.inside(stranger).fault('is not part of a period', periodMembers)
  const start = takeTimestamp(timestamp(''), input.value, place.inside('value'))
  const end = isBlank(input.value2) ? start : takeTimestamp(timestamp(''), input.value2, place.inside('value2'))
  if (start === undefined || end === undefined) return undefined
  return end < start ? place.inside('value2').fault('ends before it starts') : { value: start, value2: end }
}

/** A whole number given as a number or as its digits; anything else, also `012` and `1e9` in quotes, is not one. */
export function wholeNumber(input: unknown): number | undefined {
  if (typeof input === 'string' && !/^(0|-?[1-9]\d{0,15})$/.test(input)) return undefined
  if (typeof input !== 'string' && typeof input !== 'number') return undefined
  const number = Number(input)
  return Number.isSafeInteger(number) ? number + 0 : undefined
}
