import type { Farm, RecordTypeName } from '../../../../farm/farm.ts'
import { columnOf } from '../../../../records/finding/conditions.ts'
import type { Condition, RecordColumn } from '../../../../storage/records/condition.ts'
import { not } from './log-conditions.ts'
import type { Comparison, Kept, Property, Shown } from './property.ts'

export const wordsOf = (farm: Farm, list: string): Comparison => ({ as: 'word', words: farm.lists[list] ?? [] })

export const isSaid = (field: string): Condition => ({ on: 'field value', field, test: { is: 'all', tests: [] } })

/** What a quantity is found by has columns, whether it waits or a log has it. */
const quantityColumns: Readonly<Record<string, RecordColumn>> = {
  measure: 'measure',
  label: 'label_key',
  value: 'value_key',
  adjustment: 'adjustment',
}

export function keptAt(record: RecordTypeName, path: string): Kept {
  const ofQuantity = record === 'quantity' ? quantityColumns[path] : undefined
  if (ofQuantity !== undefined) return { in: 'column', column: ofQuantity, unset: '' }
  const column = columnOf(record, path)
  if (column === undefined) return { in: 'index', field: path }
  return { in: 'column', column, ...(column === 'archived' ? { unset: 0 } : {}) }
}

export const yesNo = (condition: Condition, means: 'yes' | 'no'): Property => ({
  compares: { as: 'yes or no' },
  kept: {
    in: 'cases',
    cases: [
      { value: means === 'yes', when: condition },
      { value: means !== 'yes', when: not(condition) },
    ],
  },
})

export const inRecord: Kept = { in: 'record' }

export const richTextProperties = (kept: Kept): ReadonlyMap<string, Property> =>
  new Map([
    ['value', { compares: { as: 'text' }, kept }],
    ['format', { compares: { as: 'text' }, kept: inRecord }],
  ])

export const geometryProperties = (kept: Kept): ReadonlyMap<string, Property> =>
  new Map<string, Property>([
    ['value', { compares: { as: 'text' }, kept }],
    ...geometryNames.map(([name, as]) => [name, { compares: { as }, kept: inRecord }] as const),
  ])

const geometryNames: readonly (readonly [string, 'text' | 'decimal'])[] = [
  ['geo_type', 'text'],
  ['lat', 'decimal'],
  ['lon', 'decimal'],
  ['left', 'decimal'],
  ['top', 'decimal'],
  ['right', 'decimal'],
  ['bottom', 'decimal'],
  ['geohash', 'text'],
  ['latlon', 'text'],
]

export const listOf = (shown: unknown): readonly Shown[] =>
  shown === null ? [] : ((Array.isArray(shown) ? shown : [shown]) as readonly Shown[])
