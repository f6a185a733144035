import { wholeNumber } from '../../../http/whole-number.ts'

const form = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:[Zz]|([+-]\d\d):?(\d\d)))?$/

/** Unix seconds, a time with its offset, or a day, which begins in UTC. */
export function secondsAsked(text: string): number | undefined {
  const seconds = wholeNumber(text)
  if (seconds !== undefined) return seconds
  const [, day, time, hours, minutes] = form.exec(text) ?? []
  if (day === undefined) return undefined
  const written = `${day}T${time ?? '00:00:00'}`
  const milliseconds = Date.parse(`${written}Z`)
  // A day that its month does not have would become one of the next month.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(written)) return undefined
  const offset = hours === undefined ? 0 : Number(hours) * 60 + (hours.startsWith('-') ? -1 : 1) * Number(minutes)
  return milliseconds / 1000 - offset * 60
}
