import { choice } from '../../fields/choice.ts'
import type { Field, Fields, PartField } from '../../fields/field.ts'
import { geometry } from '../../fields/geometry.ts'
import { decimal, whole, yesNo } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference } from '../../fields/reference.ts'
import { richText, text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { AreaKind } from '../farm.ts'
import { once } from '../fields-of.ts'
import type { Family, Member, MemberRule, ResourceType, ServiceNote } from './resource-type.ts'

interface MemberOwner extends Pick<ResourceType, 'family'> {
  readonly fields: Fields
  readonly area?: AreaKind
}

const asset = (label: string) => reference(label, 'asset', { many: true, also: 'areas' })

/** Members that combine several fields, or that are computed. */
export function ruledMembers(type: MemberOwner): readonly Member[] {
  switch (type.family) {
    case 'log':
      return logMembers(type.fields)
    case 'asset':
      return [...assetMembers, ...(type.area === undefined ? [] : areaMembers(type.area))]
    case 'quantity':
      return [taken('value', decimal('Value'), 'fraction')]
    case 'taxonomy_term':
      return [taken('description', richText('Description'), 'description')]
  }
}

/** Only members whose fields the log type has: a module's type may lack some. */
function logMembers(fields: Fields): readonly Member[] {
  const { movement, membership } = fields
  return [
    { ...taken('status', choice('Status', 'log_statuses'), 'log status'), default: 'done' },
    ...(movement === undefined
      ? []
      : [
          {
            ...taken('is_movement', yesNo('Is movement'), 'moves'),
            ...(movement.newer?.default === undefined ? {} : { default: movement.newer.default }),
          },
          taken('location', asset('Location'), 'log location'),
          taken('geometry', geometry('Geometry'), 'log geometry'),
        ]),
    ...(membership === undefined
      ? []
      : [
          taken('is_group_assignment', yesNo('Is group assignment'), 'assigns groups'),
          taken('group', reference('Groups', 'asset', { many: true, within: ['group'] }), 'assigned groups'),
        ]),
    ...(fields.asset === undefined ? [] : [taken('asset', asset(fields.asset.label), 'log assets')]),
    ...(fields.quantity === undefined
      ? []
      : [taken('quantity', reference('Quantity', 'quantity', { many: true }), 'log quantities')]),
  ]
}

const inventoryFields = { measure: text('Measure'), value: decimal('Value'), units: text('Units') }

const assetMembers: readonly Member[] = [
  { ...taken('status', choice('Status', 'asset_statuses'), 'asset status'), default: 'active' },
  taken('archived', timestamp('Archived'), 'archived'),
  { ...taken('last_archived', timestamp('Last archived'), 'last archived'), shown: 'never' },
  computed('location', asset('Current location'), 'asset location'),
  computed('geometry', geometry('Geometry'), 'asset geometry'),
  computed('group', reference('Group membership', 'asset', { many: true, within: ['group'] }), 'asset groups'),
  computed('inventory', part('Inventory', inventoryFields, { many: true }), 'inventory'),
]

const areaMembers = ({ typeField }: AreaKind): readonly Member[] => [
  ...(typeField === undefined
    ? []
    : [taken(typeField.name, choice(typeField.label, 'area_types', { open: true, required: true }), 'area type')]),
  taken('intrinsic_geometry', geometry('Intrinsic geometry'), 'drawn geometry'),
  taken('notes', richText('Notes'), 'description'),
  {
    name: 'parent',
    field: asset('Parents'),
    source: { of: 'two fields', assets: 'parent_asset', areas: 'parent' },
    given: 'taken',
  },
]

function taken(name: string, field: Field, rule: MemberRule): Member {
  return { name, field, source: { of: 'rule', rule }, given: 'taken' }
}

function computed(name: string, field: Field, rule: MemberRule): Member {
  return { ...taken(name, field, rule), given: 'ignored' }
}

/** Names of the id and the bundle, by family. */
const words: Readonly<Record<Family, { readonly number: string; readonly bundle: string; readonly config: string }>> = {
  asset: { number: 'drupal_internal__id', bundle: 'asset_type', config: 'asset_type--asset_type' },
  log: { number: 'drupal_internal__id', bundle: 'log_type', config: 'log_type--log_type' },
  quantity: { number: 'drupal_internal__id', bundle: 'quantity_type', config: 'quantity_type--quantity_type' },
  taxonomy_term: {
    number: 'drupal_internal__tid',
    bundle: 'vid',
    config: 'taxonomy_vocabulary--taxonomy_vocabulary',
  },
}

const number = (label: string) => whole(label, { min: 1, max: Number.MAX_SAFE_INTEGER })

/** Metadata of every resource of a family. */
export function notedMembers({ family }: Pick<ResourceType, 'family'>): readonly Member[] {
  const { number: numberName, bundle, config } = words[family]
  const isTerm = family === 'taxonomy_term'
  return [
    noted(numberName, number('ID'), 'number'),
    noted('drupal_internal__revision_id', number('Revision ID'), 'revision'),
    ...(family === 'quantity' ? [] : [noted('langcode', text('Language'), 'language')]),
    noted('revision_created', timestamp('Revision create time'), 'changed'),
    ...(isTerm ? [noted('status', yesNo('Published'), 'yes')] : []),
    ...(isTerm ? [] : [noted('created', timestamp('Created'), 'created')]),
    noted('changed', timestamp('Changed'), 'changed'),
    ...(family === 'quantity'
      ? []
      : [
          noted('default_langcode', yesNo('Default translation'), 'yes'),
          noted('revision_translation_affected', yesNo('Revision translation affected'), 'yes'),
        ]),
    { ...noted(bundle, reference(isTerm ? 'Vocabulary' : 'Type', 'vocabulary'), 'bundle'), targets: [config] },
    noted('revision_user', reference('Revision user', 'user'), 'reviser'),
    ...(isTerm ? [] : [noted('uid', reference('Author', 'user'), 'author')]),
  ]
}

const noted = (name: string, field: Field, note: ServiceNote): Member => ({
  name,
  field,
  source: { of: 'note', note },
  given: 'ignored',
})

/** A field inside a part, as /api shows it. */
interface PartMember {
  /** Its name in the part. */
  readonly own: string
  readonly name: string
  readonly field: Field
}

export const partMembers = once((part: PartField): readonly PartMember[] =>
  Object.entries(part.fields).flatMap(([own, field]) =>
    field.newer?.joined ? [] : [{ own, name: field.newer?.name ?? own, field }],
  ),
)
