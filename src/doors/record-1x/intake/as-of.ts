import type { RecordType } from '../../../farm/farm.ts'
import { hasComputed } from '../../../farm/fields-of.ts'
import { timestampForm } from '../../../fields/time.ts'
import { badQuery } from '../../../records/finding/bad-query.ts'
import { atPresent, inThePast, type PointInTime } from '../../../storage/history/point-in-time.ts'
import type { QueryEntry } from '../../http/query.ts'
import { parameter } from './paging.ts'
import { wholeNumber } from './whole-number.ts'

/** The time that a read is about: now, or the second of the past that `as_of` names. */
export function timeAsked(type: RecordType, entries: readonly QueryEntry[], now: number): PointInTime {
  if (!hasComputed(type)) refuseAsOf(entries)
  if (!entries.some(isAsOf)) return atPresent(now)
  const given = parameter(entries, 'as_of')
  const second = wholeNumber(given)
  if (given === undefined) throw badQuery('as_of', 'takes no brackets')
  if (second === undefined) throw badQuery('as_of', `must be ${timestampForm}, not ${JSON.stringify(given)}`)
  if (second > now) throw badQuery('as_of', `${second} lies in the future; ask for a time up to now, which is ${now}`)
  return inThePast(second)
}

/** Where nothing follows from logs there is no past to ask for, and nothing can be written in it. */
export function refuseAsOf(entries: readonly QueryEntry[]): void {
  if (entries.some(isAsOf)) throw badQuery('as_of', 'is for reading assets and areas; leave it out here')
}

const isAsOf = ({ name }: QueryEntry): boolean => name === 'as_of'
