import type { Labels } from './words.ts'

interface Field {
  readonly label: string
  /** For a part. */
  readonly fields?: Fields
}
type Fields = Readonly<Record<string, Field>>

/** A log type, an asset type or a vocabulary, from the catalogue or the info record. */
interface Bundle {
  readonly label: string
  readonly plural?: string
  readonly label_plural?: string
  readonly fields: Fields
  readonly properties?: Fields
}

type Types = Readonly<Record<string, Readonly<Record<string, Bundle>>>>
type Lists = Readonly<Record<string, readonly { readonly value: string; readonly label: string }[]>>

/** Types with labels in a language; types without a translation, such as a module's, keep their own. */
export function typesIn<T extends Types>({ types, fields }: Labels, given: T): T {
  const bundle = (resource: string, name: string, own: Bundle): Bundle => {
    const [label, plural] = types[name] ?? []
    const scopes = [`${name}.`, `${resource}.`, '']
    return {
      ...own,
      label: label ?? own.label,
      ...(own.plural === undefined ? {} : { plural: plural ?? own.plural }),
      ...(own.label_plural === undefined ? {} : { label_plural: plural ?? own.label_plural }),
      fields: fieldsIn(fields, own.fields, scopes),
      ...(own.properties === undefined ? {} : { properties: fieldsIn(fields, own.properties, scopes) }),
    }
  }
  return mapped(given, (bundles, resource) => mapped(bundles, (own, name) => bundle(resource, name, own))) as T
}

export const listsIn = ({ lists }: Labels, given: Lists): Lists =>
  mapped(given, (choices, list) => choices.map(({ value, label }) => ({ value, label: lists[list]?.[value] ?? label })))

function fieldsIn(labels: Labels['fields'], given: Fields, scopes: readonly string[]): Fields {
  return mapped(given, (field, name) => {
    const known = fieldLabel(labels, name, scopes)
    const inner = field.fields === undefined ? {} : { fields: fieldsIn(labels, field.fields, [`${name}.`, '']) }
    return { ...field, label: known ?? field.label, ...inner }
  })
}

/** The label of a field: specific to its type or part, else the general one. */
export const fieldLabel = (labels: Labels['fields'], name: string, scopes: readonly string[]): string | undefined =>
  scopes.map((scope) => labels[scope + name]).find((label) => label !== undefined)

const mapped = <V, W>(given: Readonly<Record<string, V>>, as: (value: V, name: string) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, as(value, name)]))
