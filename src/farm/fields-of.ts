import type { Field, Fields } from '../fields/field.ts'
import type { Bundle, Farm, RecordType, RecordTypeName } from './farm.ts'

/** The types of records that the record interface has. */
export const recordTypeNames = ['log', 'asset', 'term'] as const satisfies readonly RecordTypeName[]

/** Those and the type that only the newer generation has. */
export const allTypeNames: readonly RecordTypeName[] = [...recordTypeNames, 'quantity']

/** A farm never changes once it is made, so what is derived from a part of it is derived once. */
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

/** What a record of this bundle has: what all of its type have, and the bundle's own. */
export const fieldsOf = (type: RecordType, bundle: Bundle): Fields => fieldsOfBundles(type)(bundle)

/** The same by the bundle's name; a record whose module is gone has what all of its type have. */
export function fieldsOfBundle(type: RecordType, name: string): Fields {
  const bundle = type.bundles[name]
  return bundle === undefined ? type.properties : fieldsOf(type, bundle)
}

/** The fields with their names. */
export const entriesOf = once((fields: Fields) => Object.entries(fields))

export interface KnownField {
  readonly field: Field
  /** The bundles that have it. */
  readonly bundles: readonly string[]
}

/** Every field that some record of the type has, by name. A name means one kind in all bundles (see soundness.ts). */
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

/** The fields that only readers who ask for them are shown. */
export const shownOnRequest = (type: RecordType): readonly string[] =>
  [...allFieldsOf(type)].flatMap(([name, { field }]) => (field.onRequest ? [name] : []))

/** Whether logs say anything of its records. */
export const hasComputed = once((type: RecordType): boolean =>
  [...allFieldsOf(type).values()].some(({ field }) => field.computed !== undefined),
)

/** The words of a list that the record interface knows. */
export const olderWords = (farm: Farm, list: string): readonly string[] =>
  (farm.lists[list] ?? []).flatMap(({ value, only }) => (only === 'newer' ? [] : [value]))
