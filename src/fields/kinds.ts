import type { Field, FieldOf } from './field.ts'
import { geometryKind } from './geometry.ts'
import type { KindRules, PlainKind } from './kind.ts'
import { decimalKind, wholeKind, yesNoKind } from './number.ts'
import { longTextKind, richTextKind, textKind } from './text.ts'
import { periodKind, timestampKind } from './time.ts'

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
 * What every plain kind says about one thing. A room spreads it into a table that is typed over all kinds, and adds the kinds whose values
 * stand for something of the farm.
 */
export function plainRules<N extends keyof KindRules<PlainKind>>(
  name: N,
): { readonly [K in PlainKind]: KindRules<K>[N] } {
  const rules = Object.entries(plainKinds).map(([kind, all]) => [kind, all[name]] as const)
  // Entries lose which rules are of which kind.
  return Object.fromEntries(rules) as { readonly [K in PlainKind]: KindRules<K>[N] }
}
