import type { Field, Fields, ReferenceField } from '../../fields/field.ts'
import type { AreaKind, Bundle, Farm, RecordType, RecordTypeName, Vocabulary } from '../farm.ts'
import { fieldsOf, isOnlyNewer, once } from '../fields-of.ts'
import { notedMembers, ruledMembers } from './members.ts'
import type { Family, Member, ResourceType } from './resource-type.ts'

/** Families by record type. */
export const families: Readonly<Record<RecordTypeName, Family>> = {
  asset: 'asset',
  log: 'log',
  quantity: 'quantity',
  term: 'taxonomy_term',
}

/** Every resource type that holds records, by name: `asset--land`, `log--harvest`, … */
export const resourceTypes = once((farm: Farm): ReadonlyMap<string, ResourceType> => {
  const drafts = recordOrder.flatMap((record) => draftsOf(farm.records[record]))
  const names = drafts.map(({ name }) => name)
  return new Map(drafts.map((draft) => [draft.name, withMembers(farm, draft, names)]))
})

const recordOrder: readonly RecordTypeName[] = ['asset', 'term', 'log', 'quantity']

/** The resource type of a bundle; areas have several. */
export const typeOfBundle = once((farm: Farm) => {
  const found = new Map<string, ResourceType>()
  for (const type of resourceTypes(farm).values()) {
    for (const bundle of type.bundles) {
      const key = `${type.record} ${bundle}`
      if (!found.has(key)) found.set(key, type)
    }
  }
  return (record: RecordTypeName, bundle: string) => found.get(`${record} ${bundle}`)
})

type Draft = Omit<ResourceType, 'members'> & { readonly own: readonly Bundle[]; readonly area?: AreaKind }

/** Bundles with one name in /api become one type. */
function draftsOf(type: RecordType): readonly Draft[] {
  const drafts = new Map<string, Draft>()
  for (const [bundleName, bundle] of Object.entries(type.bundles)) {
    for (const draft of draftsOfBundle(type.name, bundleName, bundle)) {
      const earlier = drafts.get(draft.name)
      drafts.set(
        draft.name,
        earlier === undefined
          ? draft
          : { ...earlier, bundles: [...earlier.bundles, ...draft.bundles], own: [...earlier.own, ...draft.own] },
      )
    }
  }
  return [...drafts.values()]
}

function draftsOfBundle(record: RecordTypeName, bundleName: string, bundle: Bundle | Vocabulary): readonly Draft[] {
  const common = {
    record,
    bundles: [bundleName],
    own: [bundle],
    ...(isOnlyNewer(bundle) ? { only: 'newer' as const } : {}),
  }
  if ('kinds' in bundle && bundle.kinds !== undefined) {
    return Object.entries(bundle.kinds).map(([kind, area]) => ({
      ...common,
      name: `asset--${kind}`,
      family: 'asset',
      bundle: kind,
      label: area.label,
      kind,
      area,
    }))
  }
  const family = families[record]
  const name = newerName(record, bundleName, bundle)
  const described = 'description' in bundle ? { description: bundle.description } : {}
  return [{ ...common, ...described, name: `${family}--${name}`, family, bundle: name, label: newerLabel(bundle) }]
}

const newerName = (record: RecordTypeName, bundleName: string, { newer }: Bundle): string =>
  newer?.name ?? (record === 'asset' ? bundleName : bundleName.replace(/^farm_/, ''))

const newerLabel = ({ newer, label, ...bundle }: Bundle | Vocabulary): string =>
  newer?.label ?? ('title' in bundle ? bundle.title.replace(/^Farm /, '') : label)

/** A lab test has the fields of all its bundles. */
function fieldsOfDraft(farm: Farm, { record, own }: Draft): Fields {
  return Object.assign({}, ...own.toReversed().map((bundle) => fieldsOf(farm.records[record] as RecordType, bundle)))
}

function withMembers(farm: Farm, draft: Draft, names: readonly string[]): ResourceType {
  const { own: _, area, ...type } = draft
  const fields = fieldsOfDraft(farm, draft)
  const targetsOf = (field: Field) =>
    field.kind === 'reference' ? targetTypes(farm, field, { draft, names }) : undefined
  const members = [
    ...notedMembers(type),
    ...Object.entries(fields).flatMap(([name, field]) => ownMember(name, field, { draft, fields })),
    ...ruledMembers({ ...type, fields, ...(area === undefined ? {} : { area }) }),
  ]
  return {
    ...type,
    members: new Map(
      members.map((member) => {
        const targets = member.targets ?? targetsOf(member.field)
        return [member.name, targets === undefined ? member : { ...member, targets }]
      }),
    ),
  }
}

interface Beside {
  readonly draft: Draft
  readonly fields: Fields
}

/** Fields of terms that an area, as an asset, does not have. */
const ofTermsOnly: readonly string[] = ['external_uri', 'parent', 'description']

/** A field as its own member; undefined for metadata, and for fields that another member shows. */
function ownMember(own: string, field: Field, { draft, fields }: Beside): readonly Member[] {
  if (notedFields.includes(own) || field.newer?.joined || field.computed !== undefined) return []
  if (draft.kind !== undefined && ofTermsOnly.includes(own)) return []
  if (draft.family === 'taxonomy_term' && own === 'description') return []
  if (draft.family === 'quantity' && own === 'value') return []
  if (draft.record === 'log' && own === 'status') return []
  const { newer } = field
  const shown = withNewerTraits(field)
  const also = field.kind === 'reference' && field.also !== undefined && field.also in fields ? field.also : undefined
  return [
    {
      name: newer?.name ?? own,
      field: shown,
      source:
        also === undefined
          ? { of: 'field', field: own, ...(newer?.opposite ? { opposite: true as const } : {}) }
          : { of: 'two fields', assets: own, areas: also },
      ...(newer?.default === undefined ? {} : { default: newer.default }),
      ...(newer?.alias === undefined ? {} : { alias: newer.alias }),
      given: field.readOnly ? 'ignored' : 'taken',
    },
  ]
}

/** Fields that metadata shows under other names (members.ts). */
const notedFields: readonly string[] = ['id', 'tid', 'type', 'vocabulary', 'uid', 'created', 'changed', 'archived']

/** The field with the label and the constraints of /api. */
export function withNewerTraits<F extends Field>(field: F): F {
  const { newer } = field
  if (newer === undefined) return field
  const { required: _, within: __, ...rest } = field as F & ReferenceField
  return {
    ...rest,
    ...(newer.required === false || field.required === undefined ? {} : { required: true }),
    ...(field.kind === 'reference' && field.within !== undefined && newer.within !== 'any'
      ? { within: field.within }
      : {}),
    label: newer.label ?? field.label,
  } as unknown as F
}

interface TargetContext {
  readonly draft: Draft
  readonly names: readonly string[]
}

/** The resource types that a reference may point to. */
function targetTypes(
  farm: Farm,
  { to, within, also }: ReferenceField,
  { draft, names }: TargetContext,
): readonly string[] {
  if (to === 'user') return ['user--user']
  if (to === 'vocabulary') return ['taxonomy_vocabulary--taxonomy_vocabulary']
  if (within === 'own') return [draft.name]
  if (to === 'asset') {
    if (within === undefined || also !== undefined) return names.filter((name) => name.startsWith('asset--'))
    return within.map((bundle) => `asset--${newerName('asset', bundle, bundleIn(farm, 'asset', bundle))}`)
  }
  if (within === undefined) return names.filter((name) => name.startsWith(`${families[to]}--`))
  return within.map((bundle) => `${families[to]}--${newerName(to, bundle, bundleIn(farm, to, bundle))}`)
}

const bundleIn = (farm: Farm, record: RecordTypeName, name: string): Bundle =>
  farm.records[record].bundles[name] ?? { label: name, plural: name, fields: {} }
