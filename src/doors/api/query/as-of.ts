import { atPresent, type PointInTime } from '../../../storage/history/point-in-time.ts'
import { asOfIsForReading, asOfTakesNoBrackets, pastSecond } from '../../http/as-of.ts'
import { secondsIn } from '../values/time.ts'
import type { Parameters } from './parameters.ts'

/** The time that a read is about: now, or the second of the past that `as_of` names. */
export function timeIn(parameters: Parameters, now: number): PointInTime {
  const given = parameters.get('as_of')
  if (given === undefined) return atPresent(now)
  if (typeof given !== 'string') throw asOfTakesNoBrackets()
  return pastSecond({ given, second: secondsIn(given) }, now)
}

export function refuseAsOf(parameters: Parameters): void {
  if (parameters.has('as_of')) throw asOfIsForReading()
}
