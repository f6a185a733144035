import { decimalKey, textKey } from '../../fields/key.ts'
import type { Values } from '../../fields/value.ts'
import type { QuantityRow } from '../sql/tables.ts'

export type FoundBy = Pick<QuantityRow, 'measure' | 'label_key' | 'value_key' | 'adjustment' | 'unit_id'>

/** What a quantity is found by, whether it waits or a log has it. */
export const columnsOfQuantity = ({ measure, label, value, adjustment, unit }: Values): FoundBy => ({
  measure: wordOf(measure),
  label_key: textKey(wordOf(label)),
  value_key: typeof value === 'string' ? decimalKey(value) : '',
  adjustment: wordOf(adjustment),
  unit_id: typeof unit === 'number' ? unit : null,
})

const wordOf = (value: Values[string] | undefined): string => (typeof value === 'string' ? value : '')
