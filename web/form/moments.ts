import { daysLater, farmTime, isoDay } from '../words/format.ts'

/** Seconds since 1970, or the moment of saving. */
export type Moment = number | 'now'

export interface Offer {
  readonly name: 'now' | 'this-morning' | 'yesterday' | 'today' | 'tomorrow' | 'in-a-week'
  readonly at: Moment
}

const morning = '08:00'

/** The times that one tap gives, by the farm's clock. */
export function offersOf(of: 'past' | 'plan', now: number): readonly Offer[] {
  if (of === 'plan') {
    return [
      { name: 'today', at: noonOf(now) },
      { name: 'tomorrow', at: noonOf(daysLater(now, 1)) },
      { name: 'in-a-week', at: noonOf(daysLater(now, 7)) },
    ]
  }
  const thisMorning = farmTime(`${isoDay(now)}T${morning}:00`)
  return [
    { name: 'now', at: 'now' },
    ...(thisMorning < now ? [{ name: 'this-morning', at: thisMorning } as const] : []),
    { name: 'yesterday', at: noonOf(daysLater(now, -1)) },
  ]
}

/** A date without an hour is noon. */
const noonOf = (at: number): number => momentIn(isoDay(at), '') ?? at

/** The time of "2026-05-03" and "07:30" on the farm's clocks; an empty hour is noon, an empty date no time. */
export function momentIn(date: string, hour: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const at = farmTime(`${date}T${/^\d{2}:\d{2}/.test(hour) ? hour.slice(0, 5) : '12:00'}:00`)
  return Number.isNaN(at) ? null : at
}

export function secondsOf(at: Moment, now: number): number {
  return at === 'now' ? now : at
}
