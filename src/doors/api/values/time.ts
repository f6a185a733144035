import { type InputPlace, shown } from '../../../fields/place.ts'
import { wholeNumber } from '../../http/whole-number.ts'

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
