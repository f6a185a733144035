import { decimalOfNumber, readDecimal as decimalOfText, mostDecimalDigits } from '../../../fields/exact-decimal.ts'
import { type InputPlace, isBlank, isTree, shown, type Tree } from '../../../fields/place.ts'
import { wholeNumber, yesNoWords, yesOrNo } from '../../../fields/scalars.ts'
import type { Period } from '../../../fields/value.ts'

export function readWhole(input: unknown, place: InputPlace): number | undefined {
  return wholeNumber(input) ?? place.fault(`must be a whole number, not ${shown(input)}`)
}

export function readYesNo(input: unknown, place: InputPlace): boolean | undefined {
  return yesOrNo(input) ?? place.fault(`must be true or false, not ${shown(input)}`, yesNoWords)
}

export function readDecimal(input: unknown, place: InputPlace): string | undefined {
  const form = `a decimal number of up to ${mostDecimalDigits} digits`
  return decimalIn(input) ?? place.fault(`must be ${form}, not ${shown(input)}`)
}

function decimalIn(input: unknown): string | undefined {
  if (typeof input === 'number') return decimalOfNumber(input)
  return typeof input === 'string' ? decimalOfText(input) : undefined
}

/** RFC 3339 in UTC, always with `+00:00` and without fractions: clients compare it as text. */
export const spellTime = (seconds: number): string => `${utc(seconds * 1000)}+00:00`

export function readTime(input: unknown, place: InputPlace): number | undefined {
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

export const spellPeriod = ({ value, value2 }: Period) => ({ value: spellTime(value), end_value: spellTime(value2) })

/** What its end is called here. */
export const periodNames: ReadonlyMap<string, string> = new Map([['value2', 'end_value']])

/** Without an end it ends as it starts. */
export function readPeriod(input: unknown, place: InputPlace): Period | undefined {
  if (!isTree(input)) return place.fault(`must be {"value": start, "end_value": end}, not ${shown(input)}`)
  if (!hasOnly(input, ['value', 'end_value'], place) || Object.values(input).every(isBlank)) return undefined
  const value = readTime(input.value, place.inside('value'))
  const value2 = isBlank(input.end_value) ? value : readTime(input.end_value, place.inside('end_value'))
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}

/** Notes every member that such a value does not have. */
export function hasOnly(input: Tree, members: readonly string[], place: InputPlace): boolean {
  const strangers = Object.keys(input).filter((name) => !members.includes(name))
  for (const name of strangers) place.inside(name).fault('there is no such property here', members)
  return strangers.length === 0
}
