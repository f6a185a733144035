import { type Field, type FieldKind, type FieldOf, isMany } from './field.ts'
import { decimalKey, textKey, wholeKey } from './key.ts'
import type { Period, RichText, Value } from './value.ts'

type Comparison = { readonly [K in FieldKind]: ((value: Value, field: FieldOf<K>) => string) | undefined }

const byText = (value: Value): string => textKey(String(value))
const byNumber = (value: Value): string => wholeKey(Number(value))

/** How a value of each kind compares: as a key in text order; undefined for kinds that compare otherwise or not at all. */
const comparison: Comparison = {
  text: byText,
  'long-text': byText,
  'rich-text': (value) => textKey((value as RichText).value),
  timestamp: byNumber,
  period: (value) => wholeKey((value as Period).value),
  'yes-no': (value) => (value ? '1' : '0'),
  whole: byNumber,
  decimal: (value) => decimalKey(String(value)),
  choice: byText,
  reference: undefined,
  geometry: byText,
  attachment: undefined,
  part: undefined,
}

export const isComparable = (field: Field): boolean => comparison[field.kind] !== undefined

/** The keys of a field's values: none where it is empty, one for each of several. */
export function keysOf(field: Field, value: Value | undefined): readonly string[] {
  const key = comparison[field.kind] as ((value: Value, field: Field) => string) | undefined
  if (key === undefined || value === undefined || value === false) return []
  const values: readonly Value[] = isMany(field) && Array.isArray(value) ? value : [value]
  return values.map((one) => key(one, field)).filter((found) => found !== '')
}
