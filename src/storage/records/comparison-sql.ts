import { type Fragment, fragment, joined, word } from '../sql/fragment.ts'
import type { Comparing, Operator } from './condition.ts'
import { indexedKey, shortestIndexed } from './index-rows.ts'

const signs = { eq: word('='), ne: word('='), gt: word('>'), ge: word('>='), lt: word('<'), le: word('<=') }

export function compared(side: Fragment, operator: Operator, value: string | number): Fragment {
  if (operator === 'ct') return fragment`${side} like ${`%${literally(value)}%`} escape '\\'`
  if (operator === 'sw') return fragment`${side} like ${`${literally(value)}%`} escape '\\'`
  return fragment`${side} ${signs[operator]} ${value}`
}

/** A pattern that has all texts costs as much as so many that are looked for one by one; a long text may take longer than its pattern. */
const mostSingly = { texts: 8, length: 16 }

/** Whether it contains any of the texts: one look at each value, however many they are. */
export function containsAny(side: Fragment, texts: readonly string[]): Fragment {
  const each = withoutImplied({ operator: 'ct', values: texts })
  if (each.length > mostSingly.texts || each.join('').length > mostSingly.length)
    return fragment`${side} ~ ${each.map(asPattern).join('|')}`
  return fragment`(${joined(
    each.map((text) => compared(side, 'ct', text)),
    ' or ',
  )})`
}

/** Both engines understand the text itself by it. */
const asPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The values that decide: what contains `barn` contains `bar`, and what is above 5 is above 3. */
export function withoutImplied<T extends string | number>({ operator, values }: Comparing<T>): readonly T[] {
  const once = [...new Set(values)]
  switch (operator) {
    case 'ct':
      return once.filter((one) => !once.some((other) => other !== one && String(one).includes(String(other))))
    case 'sw':
      return once.filter((one) => !once.some((other) => other !== one && String(one).startsWith(String(other))))
    case 'gt':
    case 'ge':
      return once.toSorted(inOrder).slice(0, 1)
    case 'lt':
    case 'le':
      return once.toSorted(inOrder).slice(-1)
    default:
      return once
  }
}

/** As both engines compare keys: by their bytes. */
const inOrder = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))

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
  return containsAny(wholeKey, [key])
}
