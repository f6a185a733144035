import { offsetAt } from '../../fields/time-zone.ts'
import { type DateOrder, type Day, dayBy, spelledDay } from './date-order.ts'

/** How the times of a sheet are to be read. */
interface Clocks {
  readonly order: DateOrder
  /** The time zone of what says no offset. */
  readonly zone: string
}

/** A time in Unix seconds, or why it is none. */
type Moment = { readonly second: number } | { readonly fault: string }

const moment =
  /^(\d{1,4}([-/.])\d{1,2}\2\d{1,4})(?:(?:T|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]0{1,9})?)?(?:\s*([AaPp])\.?[Mm]\.?)?)?\s*(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?$/

/** The day at the beginning of a text, as it is written. */
export const dayWrittenIn = (text: string): string | undefined => moment.exec(text.trim())?.[1]

/** Below that a number may be a year, a day of a spreadsheet, or a slip. */
const leastPlainSecond = 100_000_000

const forms = 'write it as 2024-05-01 or 2024-05-01T14:30, or in Unix seconds'

/** A day, which means noon, a day with a time, or Unix seconds. A time without an offset is one of the zone's clocks. */
export function momentIn(text: string, clocks: Clocks): Moment {
  const trimmed = text.trim()
  if (/^-?\d+$/.test(trimmed)) return plainSecond(trimmed)
  const [, written, , hours = '12', minutes = '00', seconds = '00', half, offset] = moment.exec(trimmed) ?? []
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

/** Where clocks are put back an hour comes twice, and the first is meant; where they are put forward it does not come at all. */
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

function secondOf(day: Day): number {
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
