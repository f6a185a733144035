import { badQuery } from '../../../../records/finding/filter.ts'
import type { Condition } from '../../../../storage/records/condition.ts'
import { limits } from '../../../http/limits.ts'

/** Where a relationship leads to assets and areas alike, every name of a path doubles the ways that are searched. */
export function refuseTooManyWays(parameter: string, condition: Condition): Condition {
  if (waysIn(condition) <= limits.filterWays) return condition
  const most = `may take ${limits.filterWays} ways from record to record, and this takes more`
  throw badQuery(parameter, `${most}; ask along shorter paths, or with fewer conditions`)
}

function waysIn(condition: Condition): number {
  switch (condition.on) {
    case 'leading to':
      return 1 + (condition.to.is === 'record' ? waysIn(condition.to.condition) : 0)
    case 'not':
      return waysIn(condition.condition)
    case 'either':
    case 'all':
      return condition.conditions.reduce((ways, one) => ways + waysIn(one), 0)
    default:
      return 0
  }
}
