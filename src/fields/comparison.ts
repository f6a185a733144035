import { type Field, type FieldKind, isMany } from './field.ts'
import { textKey } from './key.ts'
import { isPlain, plainRules, rulesOf } from './kinds.ts'
import type { Value, ValueOfKind } from './value.ts'

type Comparison = { readonly [K in FieldKind]: ((value: ValueOfKind[K]) => string) | undefined }

/** How a value of each kind compares: as a key in text order; undefined for kinds that compare otherwise or not at all. */
const comparison: Comparison = {
  ...plainRules('key'),
  choice: textKey,
  reference: undefined,
  attachment: undefined,
  part: undefined,
}

/** Whether filters compare it with the text that is asked for, as it stands. */
export const comparesAsText = (field: Field): boolean =>
  isPlain(field) ? rulesOf(field).older.filter.by === 'text' : field.kind === 'choice'

export const isComparable = (field: Field): boolean => comparison[field.kind] !== undefined

/** The keys of a field's values: none where it is empty, one for each of several. */
export function keysOf(field: Field, value: Value | undefined): readonly string[] {
  const key = comparison[field.kind] as ((value: Value) => string) | undefined
  if (key === undefined || value === undefined || value === false) return []
  const values: readonly Value[] = isMany(field) && Array.isArray(value) ? value : [value]
  return values.map((one) => key(one)).filter((found) => found !== '')
}
