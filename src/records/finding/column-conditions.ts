import type { RecordTypeName } from '../../farm/farm.ts'
import { textKey, trimmedTextKey } from '../../fields/key.ts'
import { type Condition, none, type RecordColumn } from '../../storage/records/condition.ts'
import { columnsOf } from '../../storage/records/stored.ts'
import type { Filter } from './filter.ts'
import { equality, refuseTextOperators, valuesIn } from './operators.ts'

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

export const columnOf = (type: RecordTypeName, path: string): RecordColumn | undefined =>
  (Object.hasOwn(columnNames, path) ? columnNames[path] : undefined) ?? columnsOf[type][path]?.column

/** What a column holds where its field is empty; most are never empty. */
export function emptyColumn(column: RecordColumn, operator: 'eq' | 'ne'): Condition {
  if (column === 'archived') return { on: 'column', column, test: { operator, values: [0] } }
  if (column === 'status') return { on: 'column', column, test: { operator, values: ['pending'] } }
  return operator === 'eq' ? none : { on: 'not', condition: none }
}

export function columnComparison(filter: Filter, column: RecordColumn): Condition {
  const { operator } = filter
  const values = valuesIn(filter)
  const test = (compared: readonly (string | number)[]) =>
    ({ on: 'column', column, test: { operator, values: compared } }) as const
  if (column === 'name_key') {
    const isWhole = operator === 'eq' || operator === 'ne'
    return test(values.map((value) => (isWhole ? trimmedTextKey : textKey)(String(value))))
  }
  if (column === 'bundle') return test(values.map((value) => textKey(String(value))))
  if (column === 'status') {
    equality(filter)
    return test(values.map(String))
  }
  refuseTextOperators(filter)
  return test(values.map(Number))
}
