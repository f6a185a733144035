import type { PeriodField, TimestampField } from '../../../../fields/field.ts'
import { type InputPlace, isBlank, isTree, isUnfilled, shown } from '../../../../fields/place.ts'
import { timestampForm } from '../../../../fields/time.ts'
import type { Period } from '../../../../fields/value.ts'
import { wholeNumber } from '../../../http/whole-number.ts'

export function readTimestamp(
  { unset }: Pick<TimestampField, 'unset'>,
  input: unknown,
  place: InputPlace,
): number | undefined {
  if (unset !== undefined && (input === false || input === 'false')) return unset
  return wholeNumber(input) ?? place.fault(`must be ${timestampForm}, not ${shown(input)}`)
}

/** The last is worked out: it comes back with a record that was read. */
const periodMembers: readonly string[] = ['value', 'value2', 'duration']

export function readPeriod(_field: PeriodField, input: unknown, place: InputPlace): Period | undefined {
  if (!isTree(input)) return place.fault(`must be {"value": start, "value2": end}, not ${shown(input)}`)
  if (isUnfilled(input)) return undefined
  const stranger = Object.keys(input).find((name) => !periodMembers.includes(name))
  if (stranger !== undefined) return place.inside(stranger).fault('is not part of a period', periodMembers)
  const value = readTimestamp({}, input.value, place.inside('value'))
  const value2 = isBlank(input.value2) ? value : readTimestamp({}, input.value2, place.inside('value2'))
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}
