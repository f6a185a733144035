import type { Farm } from '../../../farm/farm.ts'
import { areaNumbers } from '../../../farm/newer/area-assets.ts'
import type { Member, MemberRule, ResourceType, ServiceNote } from '../../../farm/newer/resource-type.ts'
import { geometryMembers, spellGeometry } from '../../../fields/geometry.ts'
import { richTextMembers, spellRichText } from '../../../fields/text.ts'
import type { RichText } from '../../../fields/value.ts'
import { allOf, type Condition, eitherOf, every, type RecordColumn } from '../../../storage/records/condition.ts'
import { placeOfLog, richTextOf } from '../documents/member-rules.ts'
import { spellFraction } from '../values/fraction.ts'
import {
  type FilterAttribute,
  type FilterProperty,
  fieldAttribute,
  hasValue,
  locationOf,
  memberProperties,
  onlyInRecord,
  shownObjects,
  type ValueComparison,
  wordComparison,
  yesNoProperty,
} from './field-properties.ts'
import { isAssigning, isMoving, isQuantityOfLog, not } from './paths.ts'

export const uuidProperty: FilterProperty = { compares: { as: 'uuid' }, kept: { in: 'column', column: 'uuid' } }

export function filterAttribute(farm: Farm, type: ResourceType, { field, source }: Member): FilterAttribute {
  switch (source.of) {
    case 'field':
      return fieldAttribute(farm, type, { field, path: source.field, ...(source.opposite ? { opposite: true } : {}) })
    case 'note':
      return noteProperties[source.note](type)
    case 'rule':
      return ruleProperties[source.rule]?.(farm, type)
    case 'two fields':
      return undefined
  }
}

const constant = (compares: ValueComparison, value: string | boolean): FilterProperty => ({
  compares,
  kept: { in: 'cases', cases: [{ value, when: every }] },
})

const inColumn = (column: RecordColumn, compares: ValueComparison): FilterProperty => ({
  compares,
  kept: { in: 'column', column },
})

/** The revision of a log's quantity is that of the log. */
const quantityRevision: FilterProperty = {
  compares: { as: 'number' },
  kept: {
    in: 'either',
    places: [
      { when: isQuantityOfLog, kept: { in: 'log', column: 'revision' } },
      { when: not(isQuantityOfLog), kept: { in: 'column', column: 'revision' } },
    ],
  },
}

const noteProperties: Readonly<Record<ServiceNote, (type: ResourceType) => FilterProperty | undefined>> = {
  number: ({ kind }) => inColumn('id', { as: 'number', ...(kind === undefined ? {} : { beyond: areaNumbers }) }),
  revision: ({ record }) => (record === 'quantity' ? quantityRevision : inColumn('revision', { as: 'number' })),
  language: () => constant({ as: 'text' }, 'en'),
  yes: () => constant({ as: 'yes or no' }, true),
  created: () => inColumn('created', { as: 'time' }),
  changed: () => inColumn('changed', { as: 'time' }),
  author: () => undefined,
  reviser: () => undefined,
  bundle: () => undefined,
}

type PropertyRule = (farm: Farm, type: ResourceType) => FilterAttribute

const archivedTime = ({ record }: ResourceType): FilterProperty => ({
  compares: { as: 'time' },
  kept: locationOf(record, 'archived'),
})

/** Clients of farmOS 4 compare it with a boolean. */
const archivedTimeOrNot = (type: ResourceType): FilterProperty => ({
  ...archivedTime(type),
  asYesNo: yesNoProperty(isArchived(type), 'yes'),
})

const isArchived = ({ record }: ResourceType): Condition =>
  record === 'asset'
    ? { on: 'column value', column: 'archived', test: { is: 'none of', values: [0] } }
    : hasValue('archived')

/** Filterable members made of several fields (rules/); computed ones are missing. */
const ruleProperties: Readonly<Partial<Record<MemberRule, PropertyRule>>> = {
  'log status': (farm) => ({
    compares: wordComparison(farm, 'log_statuses'),
    kept: { in: 'column', column: 'status' },
  }),
  moves: () => yesNoProperty(isMoving, 'yes'),
  'assigns groups': () => yesNoProperty(isAssigning, 'yes'),
  'log geometry': () => ({
    properties: memberProperties(geometryMembers, {
      in: 'either',
      places: [
        { when: isMoving, kept: { in: 'index', field: 'movement.geometry' } },
        { when: not(isMoving), kept: { in: 'index', field: 'geofield' } },
      ],
    }),
    shown: ({ values }) => shownObjects(spellGeometry(placeOfLog(values).geometries)),
    filled: eitherOf([hasValue('movement.geometry'), allOf([hasValue('geofield'), not(isMoving)])]),
  }),
  'asset status': (farm, type) => ({
    compares: wordComparison(farm, 'asset_statuses'),
    kept: {
      in: 'cases',
      cases: [
        { value: 'active', when: not(isArchived(type)) },
        { value: 'archived', when: isArchived(type) },
      ],
    },
  }),
  archived: (_, type) => archivedTimeOrNot(type),
  'last archived': (_, type) => archivedTime(type),
  'area type': (farm) => ({ compares: wordComparison(farm, 'area_types'), kept: { in: 'index', field: 'area_type' } }),
  'drawn geometry': () => ({
    properties: memberProperties(geometryMembers, { in: 'index', field: 'geofield' }),
    shown: ({ values }) => shownObjects(spellGeometry((values.geofield as readonly string[] | undefined) ?? [])),
    filled: hasValue('geofield'),
  }),
  description: () => ({
    properties: memberProperties(richTextMembers, { in: 'index', field: 'description' }),
    shown: ({ values }) => shownObjects(shownText(richTextOf(values))),
    filled: hasValue('description'),
  }),
  fraction: () => ({
    properties: new Map<string, FilterProperty>([
      ['decimal', { compares: { as: 'decimal' }, kept: locationOf('quantity', 'value') }],
      ['numerator', { compares: { as: 'decimal' }, kept: onlyInRecord }],
      ['denominator', { compares: { as: 'decimal' }, kept: onlyInRecord }],
    ]),
    shown: ({ values: { value, fraction } }) => shownObjects(spellFraction(value, fraction)),
    filled: { on: 'column value', column: 'value_key', test: { is: 'none of', values: [''] } },
  }),
}

const shownText = (text: RichText | undefined) => (text === undefined ? null : spellRichText(text))
