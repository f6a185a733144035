import { firstSecond, timestampForm } from '../../fields/time.ts'
import { inThePast, type PointInTime } from '../../storage/farm-state.ts'
import { badQuery } from './filter.ts'

interface AsOf {
  readonly given: string
  /** Undefined where it names none. */
  readonly second: number | undefined
}

/** The second of the past that `as_of` names. */
export function pastSecond({ given, second }: AsOf, now: number): PointInTime {
  if (second === undefined) throw badQuery('as_of', `must be ${timestampForm}, not ${JSON.stringify(given)}`)
  if (second < firstSecond) throw badQuery('as_of', `${second} lies outside the years 1 to 9999`)
  if (second > now) throw badQuery('as_of', `${second} lies in the future; ask for a time up to now, which is ${now}`)
  return inThePast(second)
}

export const asOfTakesNoBrackets = () => badQuery('as_of', 'takes no brackets')

/** Types without computed fields have no past, and nothing can be written in it. */
export const asOfIsForReading = () => badQuery('as_of', 'is for reading assets and areas; leave it out here')
