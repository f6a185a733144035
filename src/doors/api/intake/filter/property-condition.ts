import { decimalOfNumber } from '../../../../fields/exact-decimal.ts'
import { decimalKey, textKey } from '../../../../fields/key.ts'
import { allOf, type Condition, eitherOf, every, none, type ValueTest } from '../../../../storage/records/condition.ts'
import type { FilterCondition } from '../../query/filter/filter-tree.ts'
import { not } from './log-conditions.ts'
import { isPassedBy } from './passing.ts'
import type { Comparison, Kept, Property } from './property.ts'
import { secondsAsked } from './seconds-asked.ts'
import { type Key, valueTest } from './value-test.ts'

/** Records with a value of which all of this holds. */
export function propertyCondition({ compares, kept, asYesNo }: Property, asked: readonly FilterCondition[]): Condition {
  if (asYesNo === undefined) return conditionAt(kept, compares, asked)
  const byYesNo = asked.filter(isByYesNo)
  const others = asked.filter((one) => !isByYesNo(one))
  return allOf([
    ...(byYesNo.length === 0 ? [] : [propertyCondition(asYesNo, byYesNo)]),
    ...(others.length === 0 ? [] : [conditionAt(kept, compares, others)]),
  ])
}

const isByYesNo = ({ values }: FilterCondition): boolean =>
  values.length > 0 && values.every((value) => yesNoWords.includes(value.toLowerCase()))

const yesNoWords: readonly string[] = ['1', '0', 'true', 'false']

function conditionAt(kept: Kept, compares: Comparison, asked: readonly FilterCondition[]): Condition {
  switch (kept.in) {
    case 'column':
      return allOf(asked.map((one) => columnCondition(kept, compares, one)))
    case 'index':
      return indexCondition(kept, compares, asked)
    case 'cases':
      return eitherOf(
        kept.cases.flatMap(({ value, when }) => (asked.every((one) => isLike(value, compares, one)) ? [when] : [])),
      )
    case 'either':
      return eitherOf(kept.places.map((place) => allOf([place.when, conditionAt(place.kept, compares, asked)])))
    case 'log': {
      const condition = conditionAt({ in: 'column', column: kept.column }, compares, asked)
      return { on: 'leading to', way: { by: 'log' }, to: { is: 'record', type: 'log', condition } }
    }
    case 'record':
      return every
  }
}

type KeptIn<In extends Kept['in']> = Extract<Kept, { readonly in: In }>

export const wantsNone = ({ operator }: FilterCondition): boolean => operator === 'IS NULL'

function columnCondition({ column, unset }: KeptIn<'column'>, compares: Comparison, asked: FilterCondition): Condition {
  const at = (test: ValueTest): Condition => ({ on: 'column value', column, test })
  if (unset === undefined) return wantsNone(asked) ? none : at(valueTest(compares, 'column', asked))
  if (wantsNone(asked)) return at({ is: 'any of', values: [unset] })
  const isSet: ValueTest = { is: 'none of', values: [unset] }
  return at({ is: 'all', tests: [isSet, valueTest(compares, 'column', asked)] })
}

/** Where a field has several values, one of them has to pass all. */
function indexCondition(
  { field }: KeptIn<'index'>,
  compares: Comparison,
  asked: readonly FilterCondition[],
): Condition {
  if (asked.every(wantsNone)) return not({ on: 'field value', field, test: { is: 'all', tests: [] } })
  if (asked.some(wantsNone)) return none
  const tests = asked.map((one) => valueTest(compares, 'index', one))
  const [test = { is: 'all', tests } as const, second] = tests
  return { on: 'field value', field, test: second === undefined ? test : { is: 'all', tests } }
}

/** Whether a value, as it is shown, is what is asked for. */
export function isLike(shown: unknown, compares: Comparison, asked: FilterCondition): boolean {
  const isNothing = shown === null || shown === undefined || shown === ''
  if (isNothing || wantsNone(asked)) return isNothing && wantsNone(asked)
  return isPassedBy(keyOf(shown, compares), valueTest(compares, 'cases', asked))
}

function keyOf(shown: unknown, { as }: Comparison): Key {
  if (typeof shown === 'boolean') return shown ? 1 : 0
  if (as === 'decimal') return decimalKey(typeof shown === 'number' ? (decimalOfNumber(shown) ?? '0') : String(shown))
  if (typeof shown === 'number') return shown
  if (as === 'time') return secondsAsked(String(shown)) ?? 0
  return as === 'word' || as === 'uuid' ? String(shown) : textKey(String(shown))
}
