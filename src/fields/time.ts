import type { PeriodField, TimestampField } from './field.ts'
import { wholeKey } from './key.ts'
import type { CellInput, KindRules, TimeForm } from './kind.ts'
import { hasOnly, type InputPlace, isBlank, isTree, isUnfilled, shown } from './place.ts'
import { noWords, wholeNumber } from './scalars.ts'
import type { Period } from './value.ts'

/** The first and the last second of the years 1 to 9999. */
export const firstSecond = -62_135_596_800

const lastSecond = 253_402_300_799

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

function validatePeriod(_field: PeriodField, period: Period, place: InputPlace): Period | undefined {
  const start = validateTimestamp(timestamp(''), period.value, place.inside('value'))
  const end = validateTimestamp(timestamp(''), period.value2, place.inside('value2'))
  if (start === undefined || end === undefined) return undefined
  return end < start ? place.inside('value2').fault('ends before it starts') : period
}

export const timestampKind: KindRules<'timestamp'> = {
  several: false,
  isLine: false,
  validate: validateTimestamp,
  key: wholeKey,
  bounds: () => ({}),
  older: {
    type: () => 'datestamp',
    template: () => null,
    read: readTimestamp,
    spell: String,
    none: ({ unset }) => (unset === undefined ? null : String(unset)),
    shown: () => 'Timestamp',
    given: () => 'GivenTimestamp',
    filter: {
      by: 'value',
      offers: 'order',
      equals: { type: 'string', description: 'Unix seconds' },
      compares: 'GivenTimestamp',
    },
  },
  newer: {
    read: readTime,
    spell: (value, { unset }) => (value === unset ? null : spellTime(value)),
    schema: () => timeSchema,
    compares: 'time',
  },
  cell: { spell: (value, { unset }, form) => (value === unset ? '' : timeInCell(value, form)), read: momentOfCell },
  mapText: (text) => (/^\d{4}-\d\d-\d\dT/.test(text) ? Math.floor(Date.parse(text) / 1000) || text : text),
}

const timeSchema = { type: 'string', format: 'date-time' }

export function readTimestamp(
  { unset }: Pick<TimestampField, 'unset'>,
  input: unknown,
  place: InputPlace,
): number | undefined {
  if (unset !== undefined && (input === false || input === 'false')) return unset
  return wholeNumber(input) ?? place.fault(`must be ${timestampForm}, not ${shown(input)}`)
}

/** RFC 3339 in UTC, always with `+00:00` and without fractions: clients compare it as text. */
export const spellTime = (seconds: number): string => `${utc(seconds * 1000)}+00:00`

function readTime(input: unknown, place: InputPlace): number | undefined {
  return secondsIn(input) ?? place.fault(`must be ${timeForm}, not ${shown(input)}`)
}

const timeForm = 'a time in whole seconds such as "2024-06-10T05:30:00+00:00", or Unix seconds'

/** Unix seconds as a number or in digits, or RFC 3339; fractions of a second only where they are none. */
export const secondsIn = (input: unknown): number | undefined =>
  wholeNumber(input) ?? (typeof input === 'string' ? secondsOfText(input) : undefined)

const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.0{1,9})?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

function secondsOfText(text: string): number | undefined {
  const parts = rfc3339.exec(text)
  if (parts === null) return undefined
  const [, day, time, sign, hours = '00', minutes = '00'] = parts
  const written = `${day}T${time}`
  const local = Date.parse(`${written}Z`)
  // A day that its month does not have would become one of the next month.
  if (Number.isNaN(local) || utc(local) !== written || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60
  return local / 1000 - (sign === '-' ? -ahead : ahead)
}

const utc = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19)

function timeInCell(second: number, { times, zone, language }: TimeForm): string {
  if (times === 'unix') return String(second)
  return (times === 'local' ? localTime(second, zone, language) : undefined) ?? isoTime(second, zone)
}

/** A time as spreadsheets of a language read it; undefined in the second of two equal hours, which needs its offset. */
function localTime(second: number, zone: string, language = 'en'): string | undefined {
  const offset = offsetAt(zone, second)
  const text = spelled(second + offset)
  if (text === undefined || offsetAt(zone, second - 7_200) > offset) return undefined
  const [day = '', clock = ''] = text.split('T')
  const [year, month, date] = day.split('-')
  const time = clock.endsWith(':00') ? clock.slice(0, 5) : clock
  // 03/04 can be read in two ways; every spreadsheet reads the year first.
  return language === 'de' ? `${date}.${month}.${year} ${time}` : `${day} ${time}`
}

function momentOfCell({ unset }: TimestampField, cell: string, { reader, spot }: CellInput): unknown {
  if (cell.trim() === String(spot.before)) return cell.trim()
  if (unset !== undefined && ['0', ...noWords].includes(cell.trim().toLowerCase())) return String(unset)
  const moment = reader.moment(cell)
  return 'second' in moment ? String(moment.second) : spot.fault(moment.fault)
}

/** The last is worked out: it comes back with a record that was read. */
const olderMembers: readonly string[] = ['value', 'value2', 'duration']

const known = new Map<string, Intl.DateTimeFormat>()

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Two times are not longer, however they are written. */
const longestPeriod = 200

export const periodKind: KindRules<'period'> = {
  several: false,
  isLine: false,
  validate: validatePeriod,
  key: ({ value }) => wholeKey(value),
  bounds: () => ({}),
  older: {
    type: () => 'datestamp',
    template: () => null,
    read: readOlderPeriod,
    spell: ({ value, value2 }) => ({ value: String(value), value2: String(value2), duration: value2 - value }),
    none: () => [],
    shown: () => 'Period',
    given: () => 'GivenPeriod',
    filter: {
      by: 'value',
      offers: 'order',
      equals: { type: 'string', description: 'The start, in Unix seconds' },
      compares: 'GivenTimestamp',
    },
  },
  newer: {
    read: readNewerPeriod,
    spell: ({ value, value2 }) => ({ value: spellTime(value), end_value: spellTime(value2) }),
    schema: () => ({
      type: 'object',
      properties: { value: timeSchema, end_value: timeSchema },
      required: ['value'],
    }),
    compares: { value: { as: 'time', in: 'index' }, end_value: { as: 'time', in: 'record' } },
    names: new Map([['value2', 'end_value']]),
  },
  cell: {
    spell: ({ value, value2 }, _field, form) => `${timeInCell(value, form)}/${timeInCell(value2, form)}`,
    read: periodOfCell,
  },
  mapText: (text) => text,
}

function readOlderPeriod(_field: PeriodField, input: unknown, place: InputPlace): Period | undefined {
  if (!isTree(input)) return place.fault(`must be {"value": start, "value2": end}, not ${shown(input)}`)
  if (isUnfilled(input)) return undefined
  const stranger = Object.keys(input).find((name) => !olderMembers.includes(name))
  if (stranger !== undefined) return place.inside(stranger).fault('is not part of a period', olderMembers)
  const value = readTimestamp({}, input.value, place.inside('value'))
  const value2 = isBlank(input.value2) ? value : readTimestamp({}, input.value2, place.inside('value2'))
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}

/** Without an end it ends as it starts. */
function readNewerPeriod(input: unknown, place: InputPlace): Period | undefined {
  if (!isTree(input)) return place.fault(`must be {"value": start, "end_value": end}, not ${shown(input)}`)
  if (!hasOnly(input, ['value', 'end_value'], place) || Object.values(input).every(isBlank)) return undefined
  const value = readTime(input.value, place.inside('value'))
  const value2 = isBlank(input.end_value) ? value : readTime(input.end_value, place.inside('end_value'))
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}

/** `beginning/end`, or one time that is both. */
function periodOfCell({ label }: PeriodField, cell: string, { reader, spot }: CellInput): unknown {
  if (cell.trim().startsWith('{')) return reader.json(cell, spot)
  const ends = cell.length > longestPeriod ? [cell] : cell.split(/\s*\/\s*(?=[^/]*$)|\s+(?:–|-|to)\s+/)
  const [beginning = '', end = beginning] =
    ends.length === 2 && !/^\d{1,2}\/\d{1,2}$/.test(ends[0] ?? '') ? ends : [cell]
  const [value, value2] = [beginning, end].map((one) =>
    momentOfCell(timestamp(label), one, { reader, spot: { ...spot, before: undefined } }),
  )
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}

/** Checks a name against the IANA database of Node.js, which also accepts bare offsets: those are refused. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return false
  try {
    offsetsIn(name)
    return true
  } catch {
    return false
  }
}

function offsetsIn(zone: string): Intl.DateTimeFormat {
  const before = known.get(zone)
  if (before !== undefined) return before
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  known.set(zone, offsets)
  return offsets
}

/** The zone's offset from UTC at that second, in seconds. */
export function offsetAt(zone: string, second: number): number {
  if (zone === 'UTC') return 0
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(offsetsIn(zone).format(second * 1000)) ?? []
  if (sign === undefined) return 0
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}

/** The time in the zone, with its offset: `2024-05-01T08:00:00+02:00`. */
export function isoTime(second: number, zone: string): string {
  const offset = offsetAt(zone, second)
  const local = spelled(second + offset)
  // Neither the seconds of old local times nor a year of five digits can be written so.
  if (offset % 60 !== 0 || local === undefined) return `${spelled(second)}Z`
  const minutes = Math.abs(offset) / 60
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

function spelled(second: number): string | undefined {
  const text = new Date(second * 1000).toISOString()
  return /^(?!0000)\d{4}-/.test(text) ? text.slice(0, 19) : undefined
}
