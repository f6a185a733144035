import type { RecordType } from '../../../farm/farm.ts'
import { hasComputed } from '../../../farm/fields-of.ts'
import { atPresent, type PointInTime } from '../../../storage/history/point-in-time.ts'
import { asOfIsForReading, asOfTakesNoBrackets, pastSecond } from '../../http/as-of.ts'
import type { QueryEntry } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { parameter } from './paging.ts'

/** The time that a read is about: now, or the second of the past that `as_of` names. */
export function timeAsked(type: RecordType, entries: readonly QueryEntry[], now: number): PointInTime {
  if (!hasComputed(type)) refuseAsOf(entries)
  if (!entries.some(isAsOf)) return atPresent(now)
  const given = parameter(entries, 'as_of')
  if (given === undefined) throw asOfTakesNoBrackets()
  return pastSecond({ given, second: wholeNumber(given) }, now)
}

export function refuseAsOf(entries: readonly QueryEntry[]): void {
  if (entries.some(isAsOf)) throw asOfIsForReading()
}

const isAsOf = ({ name }: QueryEntry): boolean => name === 'as_of'
