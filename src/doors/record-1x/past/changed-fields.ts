import { isDeepStrictEqual } from 'node:util'
import type { Farm } from '../../../farm/farm.ts'
import { fieldsOfBundle } from '../../../farm/fields-of.ts'
import { olderFields } from '../../../farm/older-fields.ts'
import type { Value } from '../../../fields/value.ts'
import type { Revision } from '../../../records/past/revisions.ts'
import { type Speller, spellOlder } from '../wire/spelling.ts'

export type ChangedFields = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>

/** The fields that a change is about, each as it was and as it is from then on; how they are spelled, a speller says. */
export type FieldsSpelled = (speller: Speller) => ChangedFields

export function changedFields(
  { farm }: { readonly farm: Farm },
  { before, after }: NonNullable<Revision['change']>,
): FieldsSpelled {
  const fields = olderFields(fieldsOfBundle(farm.records[after.type], after.bundle))
  const differing = [...fields].filter(([, { own }]) => !isDeepStrictEqual(before?.values[own], after.values[own]))
  return (speller) => {
    const changed: Record<string, ChangedFields[string]> = {}
    for (const [name, older] of differing) {
      const spell = (value: Value | undefined) => spellOlder(older, value, speller) ?? null
      const was = before === null ? null : spell(before.values[older.own])
      const is = spell(after.values[older.own])
      if (!isDeepStrictEqual(was, is)) changed[name] = { before: was, after: is }
    }
    return changed
  }
}
