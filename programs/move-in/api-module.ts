import { standardFields as standardAssetFields } from '../../src/farm/assets/standard-fields.ts'
import type { Farm } from '../../src/farm/farm.ts'
import { standardFields as standardLogFields } from '../../src/farm/logs/standard-fields.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { newerWords } from '../../src/farm/newer/words.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { type ApiFarm, resourcesIn, type SourceResource, targetsOf } from './api-resources.ts'
import type { MoveFinding } from './findings.ts'
import { adding, keyed, type ModuleStep, moduleText, quoted } from './generated-module.ts'
import type { SourceType } from './source-lists.ts'
import { asText, isEmpty, isFraction } from './source-values.ts'
import { withLines } from './translation.ts'
import { findingOfUnknown, lineOf, type UnknownType } from './unknown-types.ts'
import { areExact } from './value-samples.ts'

const families = { term: 'taxonomy_term', asset: 'asset', log: 'log' } as const

/** Members that say nothing of the farm, or that have no place here. */
const beside =
  /^(drupal_internal__\w+|revision_\w+|default_langcode|created|changed|uid|langcode|content_translation_\w+|path|metatag|status|private_key|public_key|public|data_stream|last_archived|inventory|location|group|geometry|vid|\w+_type--\w+|(asset|log|quantity)_type)$/

/** Types and fields of the source that this farm does not know. */
export function unknownResources(farm: Farm, source: ApiFarm): readonly UnknownType[] {
  const found = new Map<string, UnknownType>()
  const count = (what: Omit<UnknownType, 'records'>) => {
    const key = JSON.stringify(what)
    found.set(key, { ...what, records: (found.get(key)?.records ?? 0) + 1 })
  }
  for (const [type, family] of Object.entries(families) as [SourceType, 'log'][]) {
    for (const [, resource] of resourcesIn(source, family)) {
      const bundle = resource.type.slice(family.length + 2)
      const members = resourceTypes(farm).get(resource.type)?.members
      if (members === undefined) count({ type, bundle })
      else
        for (const field of filledMembers(resource))
          if (!members.has(field) && ![...members.values()].some(({ alias }) => alias === field))
            count({ type, bundle, field })
    }
  }
  return [...found.values()]
}

/** The type here of resources whose own type is unknown. */
const knownTypes: Readonly<Record<SourceType, string>> = {
  log: 'log--activity',
  asset: 'asset--equipment',
  term: 'taxonomy_term--log_category',
}

/** Shows resources of unknown types as those of a known one, and unknown members as text among the data. */
export function showResourcesAsKnown(farm: Farm, source: ApiFarm): readonly MoveFinding[] {
  const unknown = unknownResources(farm, source)
  const types = resourceTypes(farm)
  for (const [type, family] of Object.entries(families) as [SourceType, 'log'][]) {
    if (!unknown.some((one) => one.type === type)) continue
    source.resources[family].showAs((item) => {
      // The reader keeps nothing else in these files.
      const resource = item as unknown as SourceResource
      const own = types.get(resource.type)
      const members = [...((own ?? types.get(knownTypes[type]))?.members.values() ?? [])]
      const isKnown = (name: string) => members.some((member) => member.name === name || member.alias === name)
      const strange = filledMembers(resource).filter((name) => !isKnown(name))
      if (own !== undefined && strange.length === 0) return item
      const { attributes, relationships } = resource
      const lines = [
        ...(own === undefined ? [`type: ${resource.type}`] : []),
        ...strange.map((name) => lineOf(name, attributes[name] ?? relationships[name])),
      ]
      const rich = isTree(attributes.description) ? attributes.description : {}
      const text =
        type === 'term'
          ? { description: { format: 'default', ...rich, value: withLines(rich.value, lines) } }
          : { data: withLines(attributes.data, lines) }
      const withoutUnknown = (members: Tree) =>
        Object.fromEntries(Object.entries(members).filter(([name]) => !strange.includes(name)))
      return {
        ...item,
        ...(own === undefined ? { type: knownTypes[type], unknownType: resource.type } : {}),
        attributes: { ...withoutUnknown(attributes), ...text },
        relationships: withoutUnknown(relationships),
      }
    })
  }
  return unknown.map(findingOfUnknown)
}

/** Own members with a value. */
const filledMembers = (resource: SourceResource): readonly string[] => [
  ...Object.entries(resource.attributes).flatMap(([name, value]) =>
    beside.test(name) || isEmpty(value) ? [] : [name],
  ),
  ...Object.keys(resource.relationships).filter((name) => !beside.test(name) && targetsOf(resource, name).length > 0),
]

/** Own members with a value in one line, without those that are kept otherwise. */
export const filledText = (resource: SourceResource, kept: readonly string[]): string =>
  filledMembers(resource)
    .filter((name) => !kept.includes(name))
    .map((name) => `${name} ${asText(resource.attributes[name] ?? resource.relationships[name])}`)
    .join(', ')

/** A module that declares what this farm lacks; null if there is nothing. Guesses are marked. */
export function apiModule(farm: Farm, source: ApiFarm, unknown: readonly UnknownType[]): string | null {
  const guesses = new ApiGuesses(farm, source)
  const order: readonly SourceType[] = ['term', 'asset', 'log']
  const bundles = order.flatMap((type) =>
    unknown.flatMap(({ type: of, bundle, field }) =>
      of === type && field === undefined ? [guesses.bundle(type, bundle)] : [],
    ),
  )
  const fields = order.flatMap((type) => {
    const names = new Set(
      unknown.flatMap(({ type: of, bundle, field }) => (of === type && field !== undefined ? [bundle] : [])),
    )
    return [...names].map((bundle) =>
      guesses.fields(
        type,
        bundle,
        unknown.flatMap((one) => (one.type === type && one.bundle === bundle ? (one.field ?? []) : [])),
      ),
    )
  })
  return moduleText([...guesses.areaTypes(), ...bundles, ...fields])
}

/** The name of a bundle here: log types begin with `farm_`, as all of generation 1 do. */
const nameHere = (type: SourceType, bundle: string): string => (type === 'log' ? `farm_${bundle}` : bundle)

const standard: Readonly<Record<SourceType, { readonly names: readonly string[]; readonly line: readonly string[] }>> =
  {
    log: {
      names: [
        ...Object.keys(standardLogFields),
        'name',
        'timestamp',
        'flag',
        'owner',
        'category',
        'image',
        'file',
        'is_movement',
        'is_group_assignment',
        'uid',
        'created',
        'changed',
      ],
      line: ['    ...kit.standardLogFields,'],
    },
    asset: {
      names: [
        ...Object.keys(standardAssetFields),
        'name',
        'archived',
        'flag',
        'image',
        'file',
        'notes',
        'parent',
        'id_tag',
        'uid',
        'created',
        'changed',
      ],
      line: ['    ...kit.standardAssetFields,', '    parent: kit.parent,'],
    },
    term: { names: ['name', 'description', 'weight', 'parent', 'external_uri', 'image', 'file', 'changed'], line: [] },
  }

class ApiGuesses {
  readonly #farm: Farm
  readonly #source: ApiFarm

  constructor(farm: Farm, source: ApiFarm) {
    this.#farm = farm
    this.#source = source
  }

  bundle(type: SourceType, bundle: string): ModuleStep {
    const records = this.#records(type, bundle)
    const schema = this.#schema(type, bundle)
    const label = typeof schema.title === 'string' ? schema.title.replace(/ (log|asset|taxonomy term)$/i, '') : bundle
    const own = [...new Set(records.flatMap(filledMembers))].filter((name) => !standard[type].names.includes(name))
    return [
      `larger = kit.${adding[type].bundle}(larger, ${quoted(nameHere(type, bundle))}, {`,
      `  label: ${quoted(label)},`,
      `  plural: ${quoted(label)},`,
      ...(type === 'term' ? [`  title: ${quoted(label)},`, `  description: ${quoted(label)},`] : []),
      '  fields: {',
      ...standard[type].line,
      ...own.map((name) => `    ${this.#line(type, bundle, name)}`),
      '  },',
      '})',
    ]
  }

  fields(type: SourceType, bundle: string, names: readonly string[]): ModuleStep {
    const here = resourceTypes(this.#farm).get(`${families[type]}--${bundle}`)?.bundles ?? []
    return [
      `larger = kit.${adding[type].fields}(larger, {`,
      ...names.map((name) => `  ${this.#line(type, bundle, name)}`),
      `}, [${here.map(quoted).join(', ')}])`,
    ]
  }

  /** Land types that this farm does not have. */
  areaTypes(): readonly ModuleStep[] {
    const known = new Set(newerWords(this.#farm, 'area_types'))
    const found = [...resourcesIn(this.#source, 'asset')].flatMap(
      ([
        ,
        {
          attributes: { land_type: word },
        },
      ]) => (typeof word === 'string' && word !== '' && !known.has(word) ? [word] : []),
    )
    return [...new Set(found)].map((word) => [
      `larger = kit.withAreaType(larger, ${quoted(word)}, ${quoted(word)}) // guessed`,
    ])
  }

  #records(type: SourceType, bundle: string): readonly SourceResource[] {
    const name = `${families[type]}--${bundle}`
    return [...resourcesIn(this.#source, families[type])].flatMap(([, resource]) =>
      resource.type === name ? [resource] : [],
    )
  }

  #schema(type: SourceType, bundle: string): Tree {
    return this.#source.schemas.get(`${families[type]}--${bundle}`) ?? {}
  }

  #line(type: SourceType, bundle: string, name: string): string {
    const records = this.#records(type, bundle)
    const described = this.#described(type, bundle, name)
    const label = typeof described.title === 'string' ? described.title : name
    const targets = records.flatMap((record) => targetsOf(record, name))
    const isRelated = targets.length > 0
    const isList = records.some((record) => Array.isArray((isRelated ? record.relationships : record.attributes)[name]))
    const values = records.flatMap(({ attributes }) => attributes[name]).filter((value) => !isEmpty(value))
    const word = isRelated
      ? this.#reference(label, targets, isList)
      : this.#attribute(label, { described, values, isList })
    return `${keyed(name)}: ${word}, // guessed`
  }

  #described(type: SourceType, bundle: string, name: string): Tree {
    const { definitions } = this.#schema(type, bundle)
    for (const kind of ['attributes', 'relationships']) {
      const members = isTree(definitions) ? definitions[kind] : undefined
      const properties = isTree(members) ? members.properties : undefined
      const member = isTree(properties) ? properties[name] : undefined
      if (isTree(member)) return member
    }
    return {}
  }

  #reference(label: string, targets: ReturnType<typeof targetsOf>, isList: boolean): string {
    const many = isList ? ', { many: true }' : ''
    const [{ type } = { type: '' }] = targets
    if (type === 'file--file') return `kit.attachments(${quoted(label)}, 'any')`
    if (type === 'user--user') return `kit.reference(${quoted(label)}, 'user'${many})`
    const [family, bundle = ''] = type.split('--')
    if (family === 'taxonomy_term') {
      const known = resourceTypes(this.#farm).get(type)?.bundles[0] ?? bundle
      return `kit.termsOf(${quoted(label)}, ${quoted(known)}${many})`
    }
    // Land, structures and water are areas here.
    const isArea = targets.every((target) => resourceTypes(this.#farm).get(target.type)?.kind !== undefined)
    if (isArea) return `kit.termsOf(${quoted(label)}, 'farm_areas'${many})`
    return `kit.reference(${quoted(label)}, ${quoted(family === 'log' ? 'log' : 'farm_asset')}${many})`
  }

  #attribute(label: string, { described, values, isList }: FoundAttribute): string {
    const every = (isSo: (value: unknown) => boolean) => values.length > 0 && values.every(isSo)
    const own = quoted(label)
    if (isList) return `kit.text(${own}, { many: true })`
    if (every((value) => typeof value === 'boolean')) return `kit.yesNo(${own})`
    if (described.format === 'date-time') return `kit.timestamp(${own})`
    if (every(Number.isSafeInteger)) return `kit.whole(${own})`
    if (every((value) => typeof value === 'number')) return `kit.decimal(${own})`
    if (every(isFraction)) return areExact(values) ? `kit.decimal(${own})` : `kit.text(${own})`
    if (every((value) => isTree(value) && 'format' in value)) return `kit.richText(${own})`
    if (every((value) => isTree(value) && 'geo_type' in value)) return `kit.geometry(${own})`
    if (every((value) => typeof value === 'string' && value.length <= 255 && !value.includes('\n')))
      return `kit.text(${own})`
    return `kit.longText(${own})`
  }
}

interface FoundAttribute {
  readonly described: Tree
  readonly values: readonly unknown[]
  readonly isList: boolean
}
