import type { PeriodField, TimestampField } from './field.ts'
import type { InputPlace } from './place.ts'
import type { Period } from './value.ts'

/** The first and the last second of the years 1 to 9999. */
export const firstSecond = -62_135_596_800
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

export const timestampForm = 'a Unix timestamp in whole seconds, such as "1600000000"'

export function validateTimestamp(_field: TimestampField, seconds: number, place: InputPlace): number | undefined {
  if (seconds >= firstSecond && seconds <= lastSecond) return seconds
  return place.fault(
    /^-?\d{13}$/.test(String(seconds))
      ? `looks like milliseconds; it must be ${timestampForm}`
      : 'lies outside the years 1 to 9999',
  )
}

export function validatePeriod(_field: PeriodField, period: Period, place: InputPlace): Period | undefined {
  const start = validateTimestamp(timestamp(''), period.value, place.inside('value'))
  const end = validateTimestamp(timestamp(''), period.value2, place.inside('value2'))
  if (start === undefined || end === undefined) return undefined
  return end < start ? place.inside('value2').fault('ends before it starts') : period
}
