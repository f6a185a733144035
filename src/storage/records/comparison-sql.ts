import { type Fragment, fragment, word } from '../sql/fragment.ts'
import type { Operator } from './condition.ts'
import { indexedKey, shortestIndexed } from './index-rows.ts'

const signs = { eq: word('='), ne: word('='), gt: word('>'), ge: word('>='), lt: word('<'), le: word('<=') }

export function compared(side: Fragment, operator: Operator, value: string | number): Fragment {
  if (operator === 'ct') return fragment`${side} like ${`%${literally(value)}%`} escape '\\'`
  if (operator === 'sw') return fragment`${side} like ${`${literally(value)}%`} escape '\\'`
  return fragment`${side} ${signs[operator]} ${value}`
}

/** Contains and starts-with look for the text itself: `%` and `_` in it are ordinary characters. */
export const literally = (text: string | number): string => String(text).replace(/[\\%_]/g, '\\$&')

const lastCharacter = '\u{10ffff}'

/** The whole key of a facet. */
export const wholeKey = word('coalesce(whole_key, key)')

/** Narrowed by the indexed beginning of the key wherever the operator allows, decided by the whole key. */
export function facetLike(operator: Operator, key: string): Fragment {
  const short = indexedKey(key)
  const decided = compared(wholeKey, operator, key)
  if (operator === 'eq' || operator === 'ne') return fragment`key = ${short} and ${decided}`
  if (operator === 'gt' || operator === 'ge') return fragment`key >= ${shortestIndexed(key)} and ${decided}`
  if (operator === 'lt' || operator === 'le') return fragment`key <= ${key} and ${decided}`
  if (operator === 'sw') return fragment`key >= ${short} and key < ${short + lastCharacter} and ${decided}`
  return decided
}
