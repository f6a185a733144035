import type { Field, Fields } from '../fields/field.ts'
import type { Bundle, Choice, Farm, RecordType, Vocabulary } from './farm.ts'
import { shapeOf } from './field-validation.ts'
import { isOnlyNewer } from './fields-of.ts'
import type { ClientDeclaration } from './people/clients.ts'
import type { Scope } from './people/scopes.ts'
import { laterWords } from './query-words.ts'

export const withLogType = (farm: Farm, name: string, bundle: Bundle): Farm =>
  withBundle(farm, farm.records.log, { name, bundle })

export const withAssetType = (farm: Farm, name: string, bundle: Bundle): Farm =>
  withBundle(farm, farm.records.asset, { name, bundle })

export const withVocabulary = (farm: Farm, name: string, vocabulary: Vocabulary): Farm =>
  withBundle(farm, farm.records.term, { name, bundle: vocabulary })

/** Adds fields to the named log types, or to all present ones. */
export const withLogFields = (farm: Farm, fields: Fields, types?: readonly string[]): Farm =>
  withFields(farm, farm.records.log, { fields, on: types })

/** Adds fields to the named asset types, or to all present ones. */
export const withAssetFields = (farm: Farm, fields: Fields, types?: readonly string[]): Farm =>
  withFields(farm, farm.records.asset, { fields, on: types })

/** Adds fields to the terms of these vocabularies; areas are the terms of `farm_areas`. */
export const withTermFields = (farm: Farm, fields: Fields, vocabularies: readonly string[]): Farm =>
  withFields(farm, farm.records.term, { fields, on: vocabularies })

/** Adds words to a list, or a new list. */
export function withChoices(farm: Farm, list: string, choices: readonly Choice[]): Farm {
  const values = choices.map(({ value }) => value)
  const known = (farm.lists[list] ?? []).filter((choice) => !isOnlyNewer(choice) || !values.includes(choice.value))
  for (const value of values) {
    refuseTaken(
      known.map((choice) => choice.value),
      value,
      `choice in the list "${list}"`,
    )
  }
  return { ...farm, lists: { ...farm.lists, [list]: [...known, ...choices] } }
}

export const withAreaType = (farm: Farm, value: string, label: string): Farm =>
  withChoices(farm, 'area_types', [{ value, label }])

export const withFlag = (farm: Farm, value: string, label: string): Farm =>
  withChoices(farm, 'flags', [{ value, label }])

export function withScope(farm: Farm, scope: Scope): Farm {
  refuseTaken(
    farm.scopes.map(({ name }) => name),
    scope.name,
    'scope',
  )
  return { ...farm, scopes: [...farm.scopes, scope] }
}

export function withClient(farm: Farm, client: ClientDeclaration): Farm {
  const known = farm.clients.filter((other) => !isOnlyNewer(other) || other.id !== client.id)
  refuseTaken(
    known.map(({ id }) => id),
    client.id,
    'client',
  )
  return { ...farm, clients: [...known, client] }
}

/** Adds an entry to the info record, under its own name. */
export function withInfo(farm: Farm, name: string, value: unknown): Farm {
  refuseTaken(Object.keys(farm.info), name, 'information')
  return { ...farm, info: { ...farm.info, [name]: value } }
}

interface NamedBundle<B> {
  readonly name: string
  readonly bundle: B
}

function withBundle<B extends Bundle>(farm: Farm, type: RecordType<B>, { name, bundle }: NamedBundle<B>): Farm {
  refuseTaken(namesTaken(type.bundles), name, words[type.name])
  const bundles = givingWay({ ...without(type.bundles, [name]), [name]: bundle }, bundle.fields)
  return withBundles(farm, type, bundles)
}

interface AddedFields {
  readonly fields: Fields
  readonly on: readonly string[] | undefined
}

function withFields<B extends Bundle>(farm: Farm, type: RecordType<B>, { fields, on }: AddedFields): Farm {
  const bundles: Record<string, B> = { ...type.bundles }
  for (const name of on ?? Object.keys(bundles)) {
    const bundle = bundles[name]
    if (bundle === undefined) throw new Error(`There is no ${words[type.name]} "${name}".`)
    const taken = isOnlyNewer(bundle) ? [] : namesTaken(bundle.fields)
    for (const field of Object.keys(fields)) refuseTaken(taken, field, `field of ${name}`)
    bundles[name] = { ...bundle, fields: { ...without(bundle.fields, Object.keys(fields)), ...fields } }
  }
  return withBundles(farm, type, givingWay(bundles, fields))
}

/** A bundle of the newer generation loses a field whose name a module uses for another kind of field elsewhere. */
function givingWay<B extends Bundle>(bundles: ByName<B>, added: Fields | undefined): ByName<B> {
  const lost = (name: string, field: Field): boolean => {
    // A module may hand over anything; what is wrong with it is found later.
    const other = added?.[name]
    if (other === undefined || isOnlyNewer(field)) return false
    return other?.kind !== field.kind || shapeOf(other) !== shapeOf(field)
  }
  return Object.fromEntries(
    Object.entries(bundles).map(([name, bundle]) => {
      const own = isOnlyNewer(bundle) ? Object.entries(bundle.fields) : []
      const names = own.flatMap(([field, of]) => (lost(field, of) ? [field] : []))
      return [name, names.length === 0 ? bundle : { ...bundle, fields: without(bundle.fields, names) }]
    }),
  )
}

const withBundles = <B extends Bundle>(
  farm: Farm,
  type: RecordType<B>,
  bundles: Readonly<Record<string, B>>,
): Farm => ({
  ...farm,
  records: { ...farm.records, [type.name]: { ...type, bundles } },
})

const words = { log: 'log type', asset: 'asset type', term: 'vocabulary', quantity: 'quantity type' } as const

/** Names that exist only in /api do not count, so that modules of older farms are not refused. */
const namesTaken = (things: ByName<{ readonly only?: 'newer' }>): readonly string[] =>
  Object.keys(things).filter((name) => !isOnlyNewer(things[name] ?? {}) && !laterWords.includes(name))

type ByName<T> = Readonly<Record<string, T>>

const without = <T>(things: ByName<T>, names: readonly string[]): ByName<T> =>
  Object.fromEntries(Object.entries(things).filter(([name]) => !names.includes(name)))

/** Two modules with the same name would hide each other's things. */
function refuseTaken(taken: readonly string[], name: string, thing: string): void {
  if (taken.includes(name)) throw new Error(`There is already a ${thing} called "${name}".`)
}
