import { type ChoiceField, type Field, type Fields, namesWhere, type PartField } from '../fields/field.ts'
import { yesNo } from '../fields/number.ts'
import type { RecordType } from './farm.ts'
import { fieldsOf, once } from './fields-of.ts'

/** A field as the record interface (1.x) knows it. */
export interface OlderField {
  /** What the record itself calls it. */
  readonly own: string
  readonly field: Field
  /** The choice behind a field that the interface knows as a yes or no. */
  readonly choice?: ChoiceField & Required<Pick<ChoiceField, 'asYesNo'>>
}

/** The fields by the names that the record interface has for them, in the same order. */
export const olderFields = once(
  (fields: Fields): ReadonlyMap<string, OlderField> =>
    new Map(Object.entries(fields).flatMap(([own, field]) => (isOnlyNewer(field) ? [] : [olderField([own, field])]))),
)

/** Whether the record interface has no such word. */
export const isOnlyNewer = ({ only }: { readonly only?: 'newer' }): boolean => only === 'newer'

function olderField([own, field]: readonly [string, Field]): readonly [string, OlderField] {
  if (field.kind === 'part') return [own, { own, field: asOlderPart(field) }]
  if (field.kind !== 'choice' || field.asYesNo === undefined) return [own, { own, field }]
  const { asYesNo } = field
  return [asYesNo.name, { own, field: yesNo(asYesNo.label, { asDigit: true }), choice: { ...field, asYesNo } }]
}

/** A part without what the record interface does not show of it. */
const asOlderPart = (part: PartField): PartField => ({ ...part, fields: shownInside(part.fields) })

const shownInside = once((fields: Fields): Fields => {
  const shown = Object.entries(fields).flatMap(([name, field]) =>
    isOnlyNewer(field) ? [] : [[name, field.kind === 'part' ? asOlderPart(field) : field] as const],
  )
  return Object.fromEntries(shown)
})

/** A part as it is read for one that is there already: with the names of the fields that are not shown of it. */
export interface HidingPart extends PartField {
  readonly hidden?: readonly string[]
}

/** The same field, where it is a part, with what is not shown of it. */
export const withHidden = once((field: Field): Field => {
  if (field.kind !== 'part') return field
  const shown = shownInside(field.fields)
  const hidden = Object.keys(field.fields).filter((name) => !Object.hasOwn(shown, name))
  const fields = Object.fromEntries(Object.keys(shown).map((name) => [name, withHidden(field.fields[name] as Field)]))
  const part: HidingPart = { ...field, fields, ...(hidden.length === 0 ? {} : { hidden }) }
  return part
})

/** The same as fields of their own, for whoever only describes them. */
export const asOlderFields = once(
  (fields: Fields): Fields => Object.fromEntries([...olderFields(fields)].map(([name, { field }]) => [name, field])),
)

/** The fields that the record interface has of some bundles of the type, and that only the newer generation has of others. */
export const partlyHidden = once((type: RecordType): ReadonlySet<string> => {
  const shown = new Set([...allOlderFields(type).values()].map(({ own }) => own))
  const hidden = Object.values(type.bundles).flatMap((bundle) => namesWhere(fieldsOf(type, bundle), isOnlyNewer))
  return new Set(hidden.filter((name) => shown.has(name)))
})

export interface KnownOlderField extends OlderField {
  /** The bundles that have it. */
  readonly bundles: readonly string[]
}

/** Every field that some record of the type has, by the name that the record interface has for it. */
export const allOlderFields = once((type: RecordType): ReadonlyMap<string, KnownOlderField> => {
  const known = new Map<string, KnownOlderField>()
  for (const [bundleName, bundle] of Object.entries(type.bundles)) {
    for (const [name, older] of olderFields(fieldsOf(type, bundle))) {
      const earlier = known.get(name)
      known.set(name, { ...(earlier ?? older), bundles: [...(earlier?.bundles ?? []), bundleName] })
    }
  }
  return known
})
