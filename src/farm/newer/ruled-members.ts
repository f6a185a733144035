import { choice } from '../../fields/choice.ts'
import type { Field, Fields } from '../../fields/field.ts'
import { geometry } from '../../fields/geometry.ts'
import { decimal, yesNo } from '../../fields/number.ts'
import { part } from '../../fields/part.ts'
import { reference } from '../../fields/reference.ts'
import { richText, text } from '../../fields/text.ts'
import { timestamp } from '../../fields/time.ts'
import type { AreaKind } from '../farm.ts'
import type { Member, MemberRule, ResourceType } from './resource-type.ts'

interface Ruled extends Pick<ResourceType, 'family'> {
  readonly fields: Fields
  readonly area?: AreaKind
}

const asset = (label: string) => reference(label, 'asset', { many: true, also: 'areas' })

/** Members that several fields show together, or that are computed. */
export function ruledMembers(type: Ruled): readonly Member[] {
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

/** Only of what the log type says anything about: a module's need not. */
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
