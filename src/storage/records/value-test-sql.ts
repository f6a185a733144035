import { type Fragment, fragment, joined, listed, word } from '../sql/fragment.ts'
import { compared, containsAny, facetLike, literally, wholeKey } from './comparison-sql.ts'
import type { Operator, ValueTest } from './condition.ts'
import { indexedKey } from './index-rows.ts'

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

/** Whether a column passes. */
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

/** Whether a row of facets passes, narrowed by the indexed beginning of its key wherever the test allows. */
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

interface Joining {
  readonly between: ' and ' | ' or '
  readonly ofNone: Fragment
}

const together = (
  tests: readonly ValueTest[],
  one: (test: ValueTest) => Fragment,
  { between, ofNone }: Joining,
): Fragment => (tests.length === 0 ? ofNone : fragment`(${joined(tests.map(one), between)})`)
