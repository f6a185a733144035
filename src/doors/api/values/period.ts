import { type InputPlace, isBlank, isTree, shown } from '../../../fields/place.ts'
import type { Period } from '../../../fields/value.ts'
import { hasOnly } from './compound.ts'
import { readTime, spellTime } from './time.ts'

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
