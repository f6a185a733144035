import { textKey, trimmedTextKey } from '../fields/key.ts'
import { yesNoWords } from '../fields/number.ts'
import { shown } from '../fields/place.ts'
import { wholeNumber } from '../fields/time.ts'
import { type Condition, none, type RecordColumn, together } from '../storage/records/condition.ts'
import { columnsOf } from '../storage/records/stored.ts'
import { badQuery } from './asked.ts'
import { equality, type Inquiry, idAsked, refuseTextOperators, valueAsked } from './asked-values.ts'
import { vocabularyIn } from './create.ts'
import type { Filter } from './filters.ts'

const columnNames: Readonly<Record<string, RecordColumn>> = {
  id: 'id',
  tid: 'id',
  name: 'name_key',
  type: 'bundle',
  vocabulary: 'bundle',
  uid: 'uid',
  created: 'created',
  changed: 'changed',
}

export const columnOf = (type: Inquiry['type'], path: string): RecordColumn | undefined =>
  (Object.hasOwn(columnNames, path) ? columnNames[path] : undefined) ?? columnsOf[type][path]?.column

/** What a column holds where its field is empty; most are never empty. */
export function emptyColumn(column: RecordColumn): Condition {
  if (column === 'archived') return { on: 'column', column, test: { operator: 'eq', values: [0] } }
  if (column === 'status') return { on: 'column', column, test: { operator: 'eq', values: ['pending'] } }
  return none
}

export function columnComparison(inquiry: Inquiry, filter: Filter, column: RecordColumn): Condition {
  const { operator, values } = filter
  const test = (compared: readonly (string | number)[]) =>
    ({ on: 'column', column, test: { operator, values: compared } }) as const
  if (column === 'name_key') {
    const isWhole = operator === 'eq' || operator === 'ne'
    return test(values.map(isWhole ? trimmedTextKey : textKey))
  }
  if (column === 'bundle') {
    const words = values.map(textKey)
    if (inquiry.type !== 'taxonomy_term') return test(words)
    return test(words.map((word) => vocabularyIn(inquiry.keeping, word) ?? word))
  }
  if (column === 'status') {
    equality(filter)
    return test(values.map((value) => (valueAsked(inquiry, filter, value) === true ? 'done' : 'pending')))
  }
  refuseTextOperators(filter)
  if (column === 'archived' && (operator === 'eq' || operator === 'ne')) return archivedComparison(inquiry, filter)
  if (column === 'id' || filter.field.kind === 'reference') return test(values.map((value) => idAsked(filter, value)))
  return test(values.map((value) => Number(valueAsked(inquiry, filter, value))))
}

/** Clients ask for it as for a yes or no; a time that is none of those words is compared as it stands. */
function archivedComparison(inquiry: Inquiry, filter: Filter): Condition {
  const { operator, asked } = filter
  const test = (as: 'eq' | 'ne', values: readonly number[]): Condition => ({
    on: 'column',
    column: 'archived',
    test: { operator: as, values },
  })
  const times = filter.values.filter((value) => !yesWords.includes(value))
  const stranger = times.find((value) => value !== 'false' && wholeNumber(value) === undefined)
  if (stranger !== undefined) {
    throw badQuery(asked, `must be yes or no, or a Unix timestamp in whole seconds, not ${shown(stranger)}`, yesNoWords)
  }
  const conditions: Condition[] = []
  if (times.length < filter.values.length) conditions.push(test(operator === 'eq' ? 'ne' : 'eq', [0]))
  if (times.length > 0) {
    const compared = times.map((value) => Number(valueAsked(inquiry, filter, value)))
    conditions.push(test(operator === 'eq' ? 'eq' : 'ne', compared))
  }
  return together(operator, conditions)
}

/** Nothing was archived in the first second of 1970: who asks for 1 means yes. */
const yesWords: readonly string[] = ['1', 'true']
