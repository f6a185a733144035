import type { Choice, Farm } from '../../farm/farm.ts'
import { wordsOfKind } from '../../farm/newer/area-assets.ts'
import type { Family, ResourceType } from '../../farm/newer/resource-type.ts'
import { resourceTypes } from '../../farm/newer/resource-types.ts'
import { areaVocabulary } from '../../farm/newer/type-of-record.ts'
import { roles } from '../../farm/people/roles.ts'
import type { Fields } from '../../fields/field.ts'
import { whole, yesNo } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { text } from '../../fields/text.ts'
import { type ApiResource, type ConfigRef, configUuid } from './documents/identifiers.ts'

/** The catalogue, and the resource types that are shown. */
export interface ConfigCatalogue {
  readonly farm: Farm
  readonly types: readonly ResourceType[]
}

/** One word of the catalogue, under its machine name. */
interface ConfigWord {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A resource type whose resources are words of the catalogue. */
export interface ConfigType {
  /** The attribute with the machine name, which comes first. */
  readonly idName: string
  readonly title: string
  readonly attributes: Fields
  /** Shown, but not filterable. */
  readonly unasked?: Fields
  readonly words: (catalogue: ConfigCatalogue) => readonly ConfigWord[]
}

const label = text('Label')

const description = text('Description')

const machineName = text('Machine name')

const weight = whole('Weight', { min: 0, max: 1_000_000 })

const newRevision = yesNo('Create new revision')

const typesOf =
  (family: Family, more: (type: ResourceType) => Readonly<Record<string, unknown>>) =>
  ({ types }: ConfigCatalogue): readonly ConfigWord[] =>
    types
      .filter((type) => type.family === family)
      .map((type) => ({
        id: type.bundle,
        attributes: { label: type.label, description: type.description ?? '', new_revision: true, ...more(type) },
      }))

const bundleAttributes = { drupal_internal__id: machineName, label, description, new_revision: newRevision }

const wordOf = ({ value, newer, label }: Choice, more: Readonly<Record<string, unknown>>): ConfigWord => ({
  id: newer ?? value,
  attributes: { label, ...more },
})

const wordAttributes = { drupal_internal__id: machineName, label }

/** The words of a list; none of them has values in `unasked`. */
const listed = (title: string, list: string, unasked: Fields = {}): ConfigType => ({
  idName: 'drupal_internal__id',
  title,
  attributes: wordAttributes,
  unasked,
  words: ({ farm }) => (farm.lists[list] ?? []).map((choice) => wordOf(choice, unsaid(unasked))),
})

const unsaid = (fields: Fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

/** The words that areas of a kind have as their type, such as land types. */
const areaWords = (title: string, kind: string): ConfigType => ({
  idName: 'drupal_internal__id',
  title,
  attributes: wordAttributes,
  words: ({ farm }) => {
    const [, vocabulary] = areaVocabulary(farm)
    return wordsOfKind(farm, vocabulary, kind).map((choice) => wordOf(choice, {}))
  },
})

/** The machine name of a role, also of its scope. */
export const roleId = (name: string): string => `farm_${name}`

/** Keyed by the short name: `asset_type--asset_type` is `asset_type`. */
const configByName: Readonly<Record<string, ConfigType>> = {
  asset_type: {
    idName: 'drupal_internal__id',
    title: 'Asset type',
    attributes: { ...bundleAttributes, workflow: text('Workflow') },
    words: typesOf('asset', () => ({ workflow: 'asset_default' })),
  },
  log_type: {
    idName: 'drupal_internal__id',
    title: 'Log type',
    attributes: { ...bundleAttributes, workflow: text('Workflow'), name_pattern: text('Name pattern') },
    words: typesOf('log', (type) => ({ workflow: 'log_default', name_pattern: `${type.label} log [log:id]` })),
  },
  quantity_type: {
    idName: 'drupal_internal__id',
    title: 'Quantity type',
    attributes: bundleAttributes,
    words: typesOf('quantity', () => ({})),
  },
  taxonomy_vocabulary: {
    idName: 'drupal_internal__vid',
    title: 'Vocabulary',
    attributes: { drupal_internal__vid: machineName, name: text('Name'), description, weight },
    words: ({ types }) =>
      types
        .filter(({ family }) => family === 'taxonomy_term')
        .map(({ bundle, label, description }) => ({
          id: bundle,
          attributes: { name: label, description: description ?? '', weight: 0 },
        })),
  },
  user_role: {
    idName: 'drupal_internal__id',
    title: 'Role',
    attributes: { drupal_internal__id: machineName, label, weight, is_admin: yesNo('Is an administrator') },
    unasked: { permissions: text('Permissions', { many: true }) },
    words: () =>
      Object.values(roles).map(({ name, label, rights }, weight) => ({
        id: roleId(name),
        attributes: { label, weight, is_admin: false, permissions: rights },
      })),
  },
  flag: listed('Flag', 'flags', { entity_types: text('Entity types', { many: true }) }),
  tag_type: listed('Tag type', 'tag_types', { bundles: text('Bundles', { many: true }) }),
  land_type: areaWords('Land type', 'land'),
  structure_type: areaWords('Structure type', 'structure'),
  lab_test_type: listed('Lab test type', 'lab_test_types'),
  /** farmOS serves client modules here; Furrow has none. */
  field_module: {
    idName: 'drupal_internal__id',
    title: 'Field module',
    attributes: { ...wordAttributes, description, library: text('Library') },
    words: () => [],
  },
}

export const configTypes: ReadonlyMap<string, ConfigType> = new Map(
  Object.entries(configByName).map(([name, type]) => [
    `${name}--${name}`,
    {
      ...type,
      attributes: { langcode: text('Language'), status: yesNo('Status'), ...type.attributes },
      unasked: { dependencies: part('Dependencies', {}), ...type.unasked },
    },
  ]),
)

export const configTypeNames: readonly string[] = [...configTypes.keys()]

/** Referenced words as resources. */
export function configResources(farm: Farm, things: readonly ConfigRef[]): readonly ApiResource[] {
  const catalogue = { farm, types: [...resourceTypes(farm).values()] }
  return things.flatMap(({ type, id }) => {
    const config = configTypes.get(type)
    const word = config?.words(catalogue).find((one) => one.id === id)
    return config === undefined || word === undefined ? [] : [configResource(type, config, word)]
  })
}

export const configResource = (type: string, { idName }: ConfigType, { id, attributes }: ConfigWord): ApiResource => ({
  thing: { of: 'config', type, id },
  type,
  id: configUuid(type, id),
  attributes: { [idName]: id, langcode: 'en', status: true, dependencies: {}, ...attributes },
  relationships: {},
})
