import { decimalOfNumber, readDecimal } from '../../../fields/exact-decimal.ts'
import { decimalKey, textKey, trimmedTextKey, wholeKey } from '../../../fields/key.ts'
import { shown } from '../../../fields/place.ts'
import { wholeNumber } from '../../../fields/scalars.ts'
import { secondsIn } from '../../../fields/time.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { allOf, type Condition, eitherOf, every, none, type ValueTest } from '../../../storage/records/condition.ts'
import type { FilterProperty, ValueComparison, ValueLocation } from './field-properties.ts'
import type { FilterCondition } from './filter-syntax.ts'
import { not } from './paths.ts'

/** Records with a value that meets all conditions. */
export function propertyCondition(
  { compares, kept, asYesNo }: FilterProperty,
  asked: readonly FilterCondition[],
): Condition {
  if (asYesNo === undefined) return locationCondition(kept, compares, asked)
  const byYesNo = asked.filter(isByYesNo)
  const others = asked.filter((one) => !isByYesNo(one))
  return allOf([
    ...(byYesNo.length === 0 ? [] : [propertyCondition(asYesNo, byYesNo)]),
    ...(others.length === 0 ? [] : [locationCondition(kept, compares, others)]),
  ])
}

const isByYesNo = ({ values }: FilterCondition): boolean =>
  values.length > 0 && values.every((value) => yesNoWords.includes(value.toLowerCase()))

const yesNoWords: readonly string[] = ['1', '0', 'true', 'false']

function locationCondition(
  kept: ValueLocation,
  compares: ValueComparison,
  asked: readonly FilterCondition[],
): Condition {
  switch (kept.in) {
    case 'column':
      return allOf(asked.map((one) => columnCondition(kept, compares, one)))
    case 'index':
      return indexCondition(kept, compares, asked)
    case 'cases':
      return eitherOf(
        kept.cases.flatMap(({ value, when }) =>
          asked.every((one) => matchesValue(value, compares, one)) ? [when] : [],
        ),
      )
    case 'either':
      return eitherOf(kept.places.map((place) => allOf([place.when, locationCondition(place.kept, compares, asked)])))
    case 'log': {
      const condition = locationCondition({ in: 'column', column: kept.column }, compares, asked)
      return { on: 'leading to', way: { by: 'log' }, to: { is: 'record', type: 'log', condition } }
    }
    case 'record':
      return every
  }
}

type LocationIn<In extends ValueLocation['in']> = Extract<ValueLocation, { readonly in: In }>

export const asksForNull = ({ operator }: FilterCondition): boolean => operator === 'IS NULL'

function columnCondition(
  { column, unset }: LocationIn<'column'>,
  compares: ValueComparison,
  asked: FilterCondition,
): Condition {
  const at = (test: ValueTest): Condition => ({ on: 'column value', column, test })
  if (unset === undefined) return asksForNull(asked) ? none : at(valueTest(compares, 'column', asked))
  if (asksForNull(asked)) return at({ is: 'any of', values: [unset] })
  const isSet: ValueTest = { is: 'none of', values: [unset] }
  return at({ is: 'all', tests: [isSet, valueTest(compares, 'column', asked)] })
}

/** If a field has several values, one of them must meet all conditions. */
function indexCondition(
  { field }: LocationIn<'index'>,
  compares: ValueComparison,
  asked: readonly FilterCondition[],
): Condition {
  if (asked.every(asksForNull)) return not({ on: 'field value', field, test: { is: 'all', tests: [] } })
  if (asked.some(asksForNull)) return none
  const tests = asked.map((one) => valueTest(compares, 'index', one))
  const [test = { is: 'all', tests } as const, second] = tests
  return { on: 'field value', field, test: second === undefined ? test : { is: 'all', tests } }
}

/** Compares a value as shown. */
export function matchesValue(shown: unknown, compares: ValueComparison, asked: FilterCondition): boolean {
  const isNothing = shown === null || shown === undefined || shown === ''
  if (isNothing || asksForNull(asked)) return isNothing && asksForNull(asked)
  return passesTest(comparisonKey(shown, compares), valueTest(compares, 'cases', asked))
}

function comparisonKey(shown: unknown, { as }: ValueComparison): ComparisonKey {
  if (typeof shown === 'boolean') return shown ? 1 : 0
  if (as === 'decimal') return decimalKey(typeof shown === 'number' ? (decimalOfNumber(shown) ?? '0') : String(shown))
  if (typeof shown === 'number') return shown
  if (as === 'time') return comparedSeconds(String(shown)) ?? 0
  return as === 'word' || as === 'uuid' ? String(shown) : textKey(String(shown))
}

/** The stored comparison key. */
type ComparisonKey = string | number
type KeyReader = (text: string) => ComparisonKey

/** The test of one value, in a column, in the index or of a case. */
export function valueTest(compares: ValueComparison, keptIn: ValueLocation['in'], asked: FilterCondition): ValueTest {
  if (compares.as === 'word') return wordTest(compares, keptIn, asked)
  if (compares.as !== 'text' && compares.as !== 'name' && compares.as !== 'uuid') refuseTextOperator(asked)
  return testBy(readerOf(compares, keptIn, asked), asked)
}

function testBy(read: KeyReader, { operator, values }: FilterCondition): ValueTest {
  const keys = values.map(read)
  const [first = '', second = ''] = keys
  switch (operator) {
    case '=':
    case 'IN':
      return { is: 'any of', values: keys }
    case '<>':
    case 'NOT IN':
      return { is: 'none of', values: keys }
    case '>':
      return { is: 'above', value: first }
    case '>=':
      return { is: 'from', value: first }
    case '<':
      return { is: 'below', value: first }
    case '<=':
      return { is: 'to', value: first }
    case 'STARTS_WITH':
      return { is: 'beginning with', text: String(first) }
    case 'CONTAINS':
      return { is: 'containing', text: String(first) }
    case 'ENDS_WITH':
      return { is: 'ending with', text: String(first) }
    case 'BETWEEN':
      return {
        is: 'all',
        tests: [
          { is: 'from', value: first },
          { is: 'to', value: second },
        ],
      }
    case 'NOT BETWEEN':
      return {
        is: 'either',
        tests: [
          { is: 'below', value: first },
          { is: 'above', value: second },
        ],
      }
    case 'IS NULL':
    case 'IS NOT NULL':
      return { is: 'all', tests: [] }
  }
}

const equalities: readonly FilterCondition['operator'][] = ['=', '<>', 'IN', 'NOT IN']
const ofText: readonly FilterCondition['operator'][] = ['STARTS_WITH', 'CONTAINS', 'ENDS_WITH']

function refuseTextOperator({ operator, parameter, path }: FilterCondition): void {
  if (ofText.includes(operator)) throw badQuery(parameter, `${operator} is for text, and ${path.join('.')} is none`)
}

function readerOf(compares: ValueComparison, keptIn: ValueLocation['in'], asked: FilterCondition): KeyReader {
  const refused = (text: string, form: string) =>
    badQuery(asked.parameter, `${asked.path.join('.')} must be compared with ${form}, not with ${shown(text)}`)
  switch (compares.as) {
    case 'text':
    case 'word':
      return textKey
    case 'name':
      return equalities.includes(asked.operator) ? trimmedTextKey : textKey
    case 'uuid':
      return (text) => text.toLowerCase()
    case 'time':
      return (text) => {
        const seconds = comparedSeconds(text)
        if (seconds === undefined)
          throw refused(text, 'Unix seconds or a time such as "2024-06-10T05:30:00Z" or "2024-06-10"')
        return keptIn === 'index' ? wholeKey(seconds) : seconds
      }
    case 'decimal':
      return (text) => {
        const decimal = readDecimal(text)
        if (decimal === undefined) throw refused(text, 'a number')
        return decimalKey(decimal)
      }
    case 'number':
      return (text) => {
        const number = wholeNumber(text)
        if (number === undefined) throw refused(text, 'a whole number')
        const own = number - (compares.beyond ?? 0)
        return keptIn === 'index' ? wholeKey(own) : own
      }
    case 'yes or no':
      return (text) => {
        if (text === '1' || text.toLowerCase() === 'true') return 1
        if (text === '0' || text.toLowerCase() === 'false') return 0
        throw refused(text, '1, 0, true or false')
      }
  }
}

type Words = Extract<ValueComparison, { readonly as: 'word' }>

/** Words are stored under another name, or under a case-insensitive key, so each candidate word is compared here. */
function wordTest({ words }: Words, keptIn: ValueLocation['in'], asked: FilterCondition): ValueTest {
  const asWritten = testBy((text) => text, asked)
  if (keptIn === 'cases') return asWritten
  const keyOf = keptIn === 'index' ? textKey : (word: string) => word
  const passing = words.filter(({ value, newer }) => passesTest(newer ?? value, asWritten))
  const known: ValueTest = { is: 'any of', values: passing.map(({ value }) => keyOf(value)) }
  const strangers: ValueTest = {
    is: 'all',
    tests: [{ is: 'none of', values: words.map(({ value }) => keyOf(value)) }, testBy(keyOf, asked)],
  }
  const isAboutKnown = asWritten.is === 'any of' && asWritten.values.length === passing.length
  return isAboutKnown ? known : { is: 'either', tests: [known, strangers] }
}

/** The same comparison as in SQL (storage/records/value-test-sql.ts). */
function passesTest(value: string | number, test: ValueTest): boolean {
  switch (test.is) {
    case 'any of':
      return test.values.includes(value)
    case 'none of':
      return !test.values.includes(value)
    case 'above':
      return value > test.value
    case 'from':
      return value >= test.value
    case 'below':
      return value < test.value
    case 'to':
      return value <= test.value
    case 'containing':
      return String(value).includes(test.text)
    case 'beginning with':
      return String(value).startsWith(test.text)
    case 'ending with':
      return String(value).endsWith(test.text)
    case 'all':
      return test.tests.every((one) => passesTest(value, one))
    case 'either':
      return test.tests.some((one) => passesTest(value, one))
  }
}

/** A time (fields/time.ts), or a day, which begins in UTC. Fractions of a second are dropped. */
const comparedSeconds = (text: string): number | undefined =>
  secondsIn(text.replace(/\.\d{1,9}(?=[Zz+-])/, '')) ?? secondsIn(`${text}T00:00:00Z`)
