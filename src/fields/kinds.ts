import { validateAttachment } from './attachment.ts'
import { validateChoice } from './choice.ts'
import { type Field, type FieldKind, type FieldOf, isMany, type PartField } from './field.ts'
import { geometryKind } from './geometry.ts'
import { textKey } from './key.ts'
import type { KindRules, PlainKind } from './kind.ts'
import { valueLimits } from './limits.ts'
import { decimalKind, wholeKind, yesNoKind } from './number.ts'
import type { InputPlace } from './place.ts'
import { validateReference } from './reference.ts'
import { longTextKind, richTextKind, textKind } from './text.ts'
import { periodKind, timestampKind } from './time.ts'
import type { Draft, DraftOf, PartDraft, Value, ValueOfKind } from './value.ts'

/** Every plain kind. */
const plainKinds: { readonly [K in PlainKind]: KindRules<K> } = {
  text: textKind,
  'long-text': longTextKind,
  'rich-text': richTextKind,
  timestamp: timestampKind,
  period: periodKind,
  'yes-no': yesNoKind,
  whole: wholeKind,
  decimal: decimalKind,
  geometry: geometryKind,
}

export type PlainField = Extract<Field, { kind: PlainKind }>

export const isPlain = (field: Field): field is PlainField => Object.hasOwn(plainKinds, field.kind)

/** The rules of a field that is plain. */
export const rulesOf = <K extends PlainKind>(field: FieldOf<K>): KindRules<K> =>
  plainKinds[(field as PlainField).kind as K]

/**
 * One rule of all plain kinds. A room spreads it into a table typed over all kinds, and adds the kinds that refer to
 * the farm.
 */
export function plainRules<N extends keyof KindRules<PlainKind>>(
  name: N,
): { readonly [K in PlainKind]: KindRules<K>[N] } {
  const rules = Object.entries(plainKinds).map(([kind, all]) => [kind, all[name]] as const)
  // Entries lose which rules are of which kind.
  return Object.fromEntries(rules) as { readonly [K in PlainKind]: KindRules<K>[N] }
}

type Validators = {
  readonly [K in FieldKind]: (field: FieldOf<K>, draft: DraftOf[K], place: InputPlace) => Draft | undefined
}

/** Validation of each kind, the same for every door. Invalid values are named faults. */
const validators: Validators = {
  ...plainRules('validate'),
  choice: validateChoice,
  reference: validateReference,
  attachment: validateAttachment,
  part: validatePart,
}

/** One value that a door has read; undefined where it is not valid, which the place has noted. */
export const validateValue = <K extends FieldKind>(
  field: FieldOf<K>,
  draft: DraftOf[K],
  place: InputPlace,
): Draft | undefined => validators[field.kind as K](field, draft, place)

/** The maximum number of values. */
export function mostValues({ kind }: Field): number {
  if (kind === 'part') return valueLimits.partCount
  return kind === 'attachment' ? valueLimits.filesPerRecord : valueLimits.listLength
}

/** The fields of a part have passed one by one when it is put together. */
function validatePart({ fields }: PartField, draft: PartDraft, place: InputPlace): PartDraft {
  for (const name in fields) {
    if (fields[name]?.required && draft.part[name] === undefined) place.requireInside(name)
  }
  return draft
}

type Comparison = { readonly [K in FieldKind]: ((value: ValueOfKind[K]) => string) | undefined }

/** The comparison key of a value, by kind, in text order; undefined for kinds that compare otherwise or not at all. */
const comparison: Comparison = {
  ...plainRules('key'),
  choice: textKey,
  reference: undefined,
  attachment: undefined,
  part: undefined,
}

/** True if filters compare it with the given text as it is. */
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
