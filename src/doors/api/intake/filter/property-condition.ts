import { allOf, type Condition, eitherOf, every, none, type ValueTest } from '../../../../storage/records/condition.ts'
import type { FilterCondition } from '../../query/filter/filter-tree.ts'
import { isPassedBy } from './passing.ts'
import type { Case, Comparison, Kept, Property } from './property.ts'
import { type Key, valueTest } from './value-test.ts'

/** Records with a value of which all of this holds. */
export function propertyCondition(property: Property, asked: readonly FilterCondition[]): Condition {
  const { compares, kept, asYesNo } = property
  if (asYesNo === undefined) return conditionAt(kept, compares, asked)
  const byYesNo = asked.filter(isByYesNo)
  if (byYesNo.length === 0) return conditionAt(kept, compares, asked)
  const others = asked.filter((one) => !isByYesNo(one))
  return allOf([
    propertyCondition(asYesNo, byYesNo),
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
        kept.cases.flatMap((one) => (asked.every((each) => isCase(one, compares, each)) ? [one.when] : [])),
      )
    case 'either':
      return eitherOf(kept.places.map((place) => allOf([place.when, conditionAt(place.kept, compares, asked)])))
  }
}

type KeptIn<In extends Kept['in']> = Extract<Kept, { readonly in: In }>

export const wantsNone = ({ operator }: FilterCondition): boolean => operator === 'IS NULL'

function columnCondition({ column, unset }: KeptIn<'column'>, compares: Comparison, asked: FilterCondition): Condition {
  const at = (test: ValueTest): Condition => ({ on: 'column value', column, test })
  if (unset === undefined) return wantsNone(asked) ? none : whole(at(valueTest(compares, 'column', asked)))
  if (wantsNone(asked)) return at({ is: 'any of', values: [unset] })
  const isSet: ValueTest = { is: 'none of', values: [unset] }
  return at({ is: 'all', tests: [isSet, valueTest(compares, 'column', asked)] })
}

/** A column that is never empty has a value. */
const whole = (condition: Condition): Condition =>
  condition.on === 'column value' && condition.test.is === 'all' && condition.test.tests.length === 0
    ? every
    : condition

/** Where a field has several values, one of them has to pass all. */
function indexCondition(
  { field }: KeptIn<'index'>,
  compares: Comparison,
  asked: readonly FilterCondition[],
): Condition {
  const nulls = asked.filter(wantsNone)
  if (nulls.length === asked.length) return { on: 'no-facet', field }
  if (nulls.length > 0) return none
  const tests = asked.map((one) => valueTest(compares, 'index', one))
  const [test = { is: 'all', tests: [] } as const, second] = tests
  return { on: 'field value', field, test: second === undefined ? test : { is: 'all', tests } }
}

function isCase({ value }: Case, compares: Comparison, asked: FilterCondition): boolean {
  if (value === null || wantsNone(asked)) return value === null && wantsNone(asked)
  return isPassedBy(keyOfCase(value, compares), valueTest(compares, 'cases', asked))
}

function keyOfCase(value: string | number | boolean, compares: Comparison): Key {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || compares.as === 'word' || compares.as === 'uuid') return value
  return value.toLowerCase()
}
