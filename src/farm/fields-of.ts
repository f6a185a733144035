import { type ChoiceField, type Field, type Fields, namesWhere, type PartField } from '../fields/field.ts'
import { yesNo } from '../fields/number.ts'
import type { Bundle, Farm, RecordType, RecordTypeName } from './farm.ts'

/** Record types of 1.x. */
export const recordTypeNames = ['log', 'asset', 'term'] as const satisfies readonly RecordTypeName[]

/** Also the type that only /api has. */
export const allTypeNames: readonly RecordTypeName[] = [...recordTypeNames, 'quantity']

/** Memoises by object: a farm never changes once it is built. */
export function once<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const derived = new WeakMap<K, V>()
  return (key) => {
    const known = derived.get(key)
    if (known !== undefined) return known
    const value = derive(key)
    derived.set(key, value)
    return value
  }
}

const fieldsOfBundles = once((type: RecordType) =>
  once((bundle: Bundle): Fields => {
    const common = Object.entries(type.properties).filter(([name]) => !Object.hasOwn(bundle.fields, name))
    return { ...Object.fromEntries(common), ...bundle.fields }
  }),
)

/** Fields of the type and of the bundle. */
export const fieldsOf = (type: RecordType, bundle: Bundle): Fields => fieldsOfBundles(type)(bundle)

/** The same by bundle name; a record of a missing module has only the fields of its type. */
export function fieldsOfBundle(type: RecordType, name: string): Fields {
  const bundle = type.bundles[name]
  return bundle === undefined ? type.properties : fieldsOf(type, bundle)
}

export const entriesOf = once((fields: Fields) => Object.entries(fields))

interface KnownField {
  readonly field: Field
  readonly bundles: readonly string[]
}

/** Every field of the type, by name. A name has the same kind in all bundles (see farm-validation.ts). */
export const allFieldsOf = once((type: RecordType): ReadonlyMap<string, KnownField> => {
  const known = new Map<string, KnownField>()
  for (const [bundleName, bundle] of Object.entries(type.bundles)) {
    for (const [name, field] of Object.entries(fieldsOf(type, bundle))) {
      const bundles = known.get(name)?.bundles ?? []
      known.set(name, { field: known.get(name)?.field ?? field, bundles: [...bundles, bundleName] })
    }
  }
  return known
})

/** Fields shown only on request (`?with=`), also inside parts. */
export const shownOnRequest = once((type: RecordType): readonly string[] => {
  const names = [...allFieldsOf(type)].flatMap(([name, { field }]) =>
    field.onRequest ? [name] : field.kind === 'part' ? Object.keys(requestedInside(field.fields)) : [],
  )
  return [...new Set(names)]
})

export const hasComputed = once((type: RecordType): boolean =>
  [...allFieldsOf(type).values()].some(({ field }) => field.computed !== undefined),
)

/** The words of a list that 1.x has. */
export const olderWords = (farm: Farm, list: string): readonly string[] => wordsOfLists(farm).get(list) ?? []

const wordsOfLists = once(
  ({ lists }: Farm): ReadonlyMap<string, readonly string[]> =>
    new Map(
      Object.entries(lists).map(([list, words]) => [
        list,
        words.flatMap(({ value, only }) => (only === 'newer' ? [] : [value])),
      ]),
    ),
)

/** A field as 1.x shows it. */
export interface OlderField {
  /** Its stored name. */
  readonly own: string
  readonly field: Field
  /** The stored choice of a field that 1.x shows as a boolean. */
  readonly choice?: ChoiceField & Required<Pick<ChoiceField, 'asYesNo'>>
}

export const isOnlyNewer = ({ only }: { readonly only?: 'newer' }): boolean => only === 'newer'

/** A part without the fields that 1.x hides. */
const asOlderPart = (part: PartField): OlderPart => ({
  ...part,
  fields: shownInside(part.fields),
  requested: requestedInside(part.fields),
})

/** Fields of a part that 1.x takes from every writer, and shows only on request. */
const requestedInside = once(
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => isOnlyNewer(field) && field.onRequest)),
)

const shownInside = once((fields: Fields): Fields => {
  const shown = Object.entries(fields).flatMap(([name, field]) =>
    isOnlyNewer(field) ? [] : [[name, field.kind === 'part' ? asOlderPart(field) : field] as const],
  )
  return Object.fromEntries(shown)
})

/** Fields by their 1.x name, in the same order. */
export const olderFields = once(
  (fields: Fields): ReadonlyMap<string, OlderField> =>
    new Map(Object.entries(fields).flatMap(([own, field]) => (isOnlyNewer(field) ? [] : [olderField([own, field])]))),
)

function olderField([own, field]: readonly [string, Field]): readonly [string, OlderField] {
  if (field.kind === 'part') return [own, { own, field: asOlderPart(field) }]
  if (field.kind !== 'choice' || field.asYesNo === undefined) return [own, { own, field }]
  const { asYesNo } = field
  return [asYesNo.name, { own, field: yesNo(asYesNo.label, { asDigit: true }), choice: { ...field, asYesNo } }]
}

/** A part as 1.x has it. */
export interface OlderPart extends PartField {
  readonly requested?: Fields
  /** The names of its hidden fields, for updating an existing one. */
  readonly hidden?: readonly string[]
}

/** If the field is a part: the same field with its hidden names. */
export const withHidden = once((field: Field): Field => {
  if (field.kind !== 'part') return field
  const shown = shownInside(field.fields)
  const hidden = Object.keys(field.fields).filter((name) => !Object.hasOwn(shown, name))
  const fields = Object.fromEntries(Object.keys(shown).map((name) => [name, withHidden(field.fields[name] as Field)]))
  const requested = requestedInside(field.fields)
  const part: OlderPart = { ...field, fields, requested, ...(hidden.length === 0 ? {} : { hidden }) }
  return part
})

/** The same as plain fields, for descriptions. */
export const asOlderFields = once(
  (fields: Fields): Fields => Object.fromEntries([...olderFields(fields)].map(([name, { field }]) => [name, field])),
)

/** Every field of the type, by its 1.x name. */
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

/** Fields that 1.x shows in some bundles of the type and hides in others. */
export const partlyHidden = once((type: RecordType): ReadonlySet<string> => {
  const shown = new Set([...allOlderFields(type).values()].map(({ own }) => own))
  const hidden = Object.values(type.bundles).flatMap((bundle) => namesWhere(fieldsOf(type, bundle), isOnlyNewer))
  return new Set(hidden.filter((name) => shown.has(name)))
})

export interface KnownOlderField extends OlderField {
  readonly bundles: readonly string[]
}

/** Bundles that have records, each after its type: `asset seed`. */
export type PresentBundles = ReadonlySet<string>

const none: PresentBundles = new Set()

/** The farm as 1.x shows it: bundles of /api appear with their first record. */
export function olderFarm(farm: Farm, present: PresentBundles = none): Farm {
  const shown = onlyNewerBundles(farm).filter((name) => present.has(name))
  const known = knownForms(farm)
  const form = known.get(shown.join()) ?? withBundles(farm, new Set(shown))
  known.set(shown.join(), form)
  return form
}

/** Cached by the set of present bundles, so that derived values are computed once. */
const knownForms = once((_farm: Farm) => new Map<string, Farm>())

/** Bundles that Furrow's own interface has before their first record, and the record interface after it. */
export const firstByBatch = once(
  (farm: Farm): PresentBundles =>
    new Set(
      recordTypeNames.flatMap((type) =>
        Object.entries(farm.records[type].bundles).flatMap(([name, { first }]) => (first ? [`${type} ${name}`] : [])),
      ),
    ),
)

const onlyNewerBundles = once((farm: Farm): readonly string[] =>
  recordTypeNames.flatMap((type) =>
    Object.entries(farm.records[type].bundles).flatMap(([name, bundle]) =>
      isOnlyNewer(bundle) ? [`${type} ${name}`] : [],
    ),
  ),
)

function withBundles(farm: Farm, shown: PresentBundles): Farm {
  const { log, asset, term, ...others } = farm.records
  const records = { log: shorter(log, shown), asset: shorter(asset, shown), term: shorter(term, shown), ...others }
  return { ...farm, records }
}

const shorter = <B extends Bundle>(type: RecordType<B>, shown: PresentBundles): RecordType<B> => ({
  ...type,
  bundles: Object.fromEntries(
    Object.entries(type.bundles).filter(([name, bundle]) => !isOnlyNewer(bundle) || shown.has(`${type.name} ${name}`)),
  ),
})
