import { badQuery } from './bad-query.ts'
import type { Filter } from './filter.ts'

export function equality({ asked, operator }: Filter): 'eq' | 'ne' {
  if (operator === 'eq' || operator === 'ne') return operator
  throw badQuery(asked, `[${operator}] does not apply to it`, ['eq', 'ne'])
}

/** Contains and starts-with are asked of text only. */
export function refuseTextOperators({ asked, operator }: Filter): void {
  if (operator === 'ct' || operator === 'sw')
    throw badQuery(asked, `[${operator}] is for text`, ['eq', 'ne', 'gt', 'ge', 'lt', 'le'])
}

/** The values themselves, of a filter that asks neither for none nor for terms. */
export const valuesIn = ({ values }: Pick<Filter, 'values'>): readonly (string | number | boolean)[] =>
  values.flatMap((one) => (one.is === 'value' ? [one.value] : []))
