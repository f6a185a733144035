import { readDecimal } from '../../../../fields/exact-decimal.ts'
import { decimalKey, textKey, trimmedTextKey, wholeKey } from '../../../../fields/key.ts'
import { shown } from '../../../../fields/place.ts'
import { badQuery } from '../../../../records/finding/filter.ts'
import type { ValueTest } from '../../../../storage/records/condition.ts'
import { wholeNumber } from '../../../http/whole-number.ts'
import type { FilterCondition } from '../../query/filter/filter-tree.ts'
import { isPassedBy } from './passing.ts'
import type { Comparison, Kept } from './property.ts'
import { secondsAsked } from './seconds-asked.ts'

/** How a value is told from others where it is kept. */
export type Key = string | number
type Reader = (text: string) => Key

/** What is asked of one value, whether in a column, in the index or of a case. */
export function valueTest(compares: Comparison, keptIn: Kept['in'], asked: FilterCondition): ValueTest {
  if (compares.as === 'word') return wordTest(compares, keptIn, asked)
  if (compares.as !== 'text' && compares.as !== 'name' && compares.as !== 'uuid') refuseTextOperator(asked)
  return testBy(readerOf(compares, keptIn, asked), asked)
}

function testBy(read: Reader, { operator, values }: FilterCondition): ValueTest {
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

function readerOf(compares: Comparison, keptIn: Kept['in'], asked: FilterCondition): Reader {
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
        const seconds = secondsAsked(text)
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

type Words = Extract<Comparison, { readonly as: 'word' }>

/** Words of a list are kept under another name, or under a key that does not tell upper case: so each of them is asked here. */
function wordTest({ words }: Words, keptIn: Kept['in'], asked: FilterCondition): ValueTest {
  const asWritten = testBy((text) => text, asked)
  if (keptIn === 'cases') return asWritten
  const keyOf = keptIn === 'index' ? textKey : (word: string) => word
  const passing = words.filter(({ value, newer }) => isPassedBy(newer ?? value, asWritten))
  const known: ValueTest = { is: 'any of', values: passing.map(({ value }) => keyOf(value)) }
  const strangers: ValueTest = {
    is: 'all',
    tests: [{ is: 'none of', values: words.map(({ value }) => keyOf(value)) }, testBy(keyOf, asked)],
  }
  const isAboutKnown = asWritten.is === 'any of' && asWritten.values.length === passing.length
  return isAboutKnown ? known : { is: 'either', tests: [known, strangers] }
}
