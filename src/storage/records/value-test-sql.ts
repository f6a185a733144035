import { type Fragment, fragment, joined, listed, word } from '../sql/fragment.ts'
import type { ColumnComparison, Operator, ValueTest } from './condition.ts'
import { indexedKey, shortestIndexed } from './index-rows.ts'

export const always: Fragment = word('1 = 1')
export const never: Fragment = word('1 = 0')

const operators = {
  above: 'gt',
  from: 'ge',
  below: 'lt',
  to: 'le',
  containing: 'ct',
  'beginning with': 'sw',
} as const satisfies Readonly<Record<string, Operator>>

/** The test of a column. */
export function passes(side: Fragment, test: ValueTest): Fragment {
  switch (test.is) {
    case 'any of':
      return test.values.length === 0 ? never : fragment`${side} in (${listed(test.values)})`
    case 'none of':
      return test.values.length === 0 ? always : fragment`${side} not in (${listed(test.values)})`
    case 'ending with':
      return fragment`${side} like ${`%${literally(test.text)}`} escape '\\'`
    case 'containing':
      return containsAny(side, [test.text])
    case 'beginning with':
      return compared(side, operators[test.is], test.text)
    case 'all':
      return together(test.tests, (one) => passes(side, one), { between: ' and ', ofNone: always })
    case 'either':
      return either(test.tests, side, (one) => passes(side, one))
    default:
      return compared(side, operators[test.is], test.value)
  }
}

/** The test of a facet row, narrowed by the indexed prefix of its key where possible. */
export function passesInFacet(test: ValueTest): Fragment {
  switch (test.is) {
    case 'any of':
      if (test.values.length === 0) return never
      return fragment`(key in (${listed(test.values.map((value) => indexedKey(String(value))))}) and ${passes(wholeKey, test)})`
    case 'none of':
    case 'ending with':
      return passes(wholeKey, test)
    case 'containing':
    case 'beginning with':
      return fragment`(${facetLike(operators[test.is], test.text)})`
    case 'all':
      return together(test.tests, passesInFacet, { between: ' and ', ofNone: always })
    case 'either':
      return either(test.tests, wholeKey, passesInFacet)
    default:
      return fragment`(${facetLike(operators[test.is], String(test.value))})`
  }
}

function either(tests: readonly ValueTest[], side: Fragment, one: (test: ValueTest) => Fragment): Fragment {
  const texts = tests.flatMap((test) => (test.is === 'containing' ? [test.text] : []))
  if (texts.length < 2) return together(tests, one, { between: ' or ', ofNone: never })
  const others = tests.filter(({ is }) => is !== 'containing').map(one)
  return fragment`(${joined([containsAny(side, texts), ...others], ' or ')})`
}

interface Junction {
  readonly between: ' and ' | ' or '
  readonly ofNone: Fragment
}

const together = (
  tests: readonly ValueTest[],
  one: (test: ValueTest) => Fragment,
  { between, ofNone }: Junction,
): Fragment => (tests.length === 0 ? ofNone : fragment`(${joined(tests.map(one), between)})`)

const signs = { eq: word('='), ne: word('='), gt: word('>'), ge: word('>='), lt: word('<'), le: word('<=') }

export function compared(side: Fragment, operator: Operator, value: string | number): Fragment {
  if (operator === 'ct') return fragment`${side} like ${`%${literally(value)}%`} escape '\\'`
  if (operator === 'sw') return fragment`${side} like ${`${literally(value)}%`} escape '\\'`
  return fragment`${side} ${signs[operator]} ${value}`
}

/** A pattern that has all texts costs as much as so many that are looked for one by one; a long text may take longer than its pattern. */
const mostSingly = { texts: 8, length: 16 }

/** True if it contains any of the texts, in a single scan of each value. */
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
export function withoutImplied<T extends string | number>({ operator, values }: ColumnComparison<T>): readonly T[] {
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

/** Byte order, as both engines compare keys. */
const inOrder = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))

/** Contains and starts-with look for the text itself: `%` and `_` in it are ordinary characters. */
const literally = (text: string | number): string => String(text).replace(/[\\%_]/g, '\\$&')

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
