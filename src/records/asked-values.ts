import { wordsOf } from '../farm/fields-of.ts'
import { takeField } from '../fields/intake.ts'
import { placeAt, shown } from '../fields/place.ts'
import { wholeNumber } from '../fields/time.ts'
import type { Value } from '../fields/value.ts'
import type { Fault } from '../refusal.ts'
import type { Reading } from '../storage/database.ts'
import { badQuery } from './asked.ts'
import type { Filter } from './filters.ts'
import type { Keeping } from './keeping.ts'

/** Where a filter is asked: of which records, in which snapshot, at what time. */
export interface Inquiry {
  readonly keeping: Keeping
  readonly rows: Reading
  readonly type: 'log' | 'farm_asset' | 'taxonomy_term'
  readonly now: number
}

export function equality({ asked, operator }: Filter): 'eq' | 'ne' {
  if (operator === 'eq' || operator === 'ne') return operator
  throw badQuery(asked, `[${operator}] does not apply to it`, ['eq', 'ne'])
}

/** Contains and starts-with are asked of text only. */
export function refuseTextOperators({ asked, operator }: Filter): void {
  if (operator === 'ct' || operator === 'sw')
    throw badQuery(asked, `[${operator}] is for text`, ['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
}

export function idAsked({ asked }: Filter, value: string): number {
  const id = wholeNumber(value)
  if (id === undefined) throw badQuery(asked, `${shown(value)} is not an id`)
  return id
}

export function valueAsked({ keeping }: Inquiry, { field, asked }: Filter, value: string): Value | undefined {
  const faults: Fault[] = []
  const taken = takeField(field, value, placeAt(asked, { faults, words: (list) => wordsOf(keeping.farm, list) }))
  const [fault] = faults
  if (fault !== undefined) throw badQuery(asked, fault.message, fault.allowed)
  // Numbers and yes-no, the kinds asked for here, are their own values.
  return taken as Value | undefined
}
