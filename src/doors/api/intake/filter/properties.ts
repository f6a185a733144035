import type { Farm } from '../../../../farm/farm.ts'
import { areaNumbers } from '../../../../farm/newer/area-assets.ts'
import type { Member, MemberRule, ResourceType, ServiceNote } from '../../../../farm/newer/resource-type.ts'
import type { RichText } from '../../../../fields/value.ts'
import { allOf, type Condition, eitherOf, every, type RecordColumn } from '../../../../storage/records/condition.ts'
import { placeOfLog } from '../../rules/log-place.ts'
import { richTextOf } from '../../rules/rich-description.ts'
import { spellFraction } from '../../values/fraction.ts'
import { spellGeometry } from '../../values/geometry.ts'
import { spellRichText } from '../../values/rich-text.ts'
import { ofField } from './field-properties.ts'
import { geometryProperties, inRecord, isSaid, keptAt, listOf, richTextProperties, wordsOf, yesNo } from './kept.ts'
import { isAssigning, isMoving, isTaken, not } from './log-conditions.ts'
import type { Askable, Comparison, Property } from './property.ts'

export const uuidProperty: Property = { compares: { as: 'uuid' }, kept: { in: 'column', column: 'uuid' } }

/** What of an attribute of a type can be asked about. */
export function askableOf(farm: Farm, type: ResourceType, { field, source }: Member): Askable {
  switch (source.of) {
    case 'field':
      return ofField(farm, type, { field, path: source.field, ...(source.opposite ? { opposite: true } : {}) })
    case 'note':
      return notes[source.note](type)
    case 'rule':
      return ruledProperties[source.rule]?.(farm, type)
    case 'two fields':
      return undefined
  }
}

const constant = (compares: Comparison, value: string | boolean): Property => ({
  compares,
  kept: { in: 'cases', cases: [{ value, when: every }] },
})

const inColumn = (column: RecordColumn, compares: Comparison): Property => ({
  compares,
  kept: { in: 'column', column },
})

/** A quantity that a log has is of the log's revision. */
const ofQuantity: Property = {
  compares: { as: 'number' },
  kept: {
    in: 'either',
    places: [
      { when: isTaken, kept: { in: 'log', column: 'revision' } },
      { when: not(isTaken), kept: { in: 'column', column: 'revision' } },
    ],
  },
}

const notes: Readonly<Record<ServiceNote, (type: ResourceType) => Property | undefined>> = {
  number: ({ kind }) => inColumn('id', { as: 'number', ...(kind === undefined ? {} : { beyond: areaNumbers }) }),
  revision: ({ record }) => (record === 'quantity' ? ofQuantity : inColumn('revision', { as: 'number' })),
  language: () => constant({ as: 'text' }, 'en'),
  yes: () => constant({ as: 'yes or no' }, true),
  created: () => inColumn('created', { as: 'time' }),
  changed: () => inColumn('changed', { as: 'time' }),
  author: () => undefined,
  reviser: () => undefined,
  bundle: () => undefined,
}

type Rule = (farm: Farm, type: ResourceType) => Askable

const archivedTime = ({ record }: ResourceType): Property => ({
  compares: { as: 'time' },
  kept: keptAt(record, 'archived'),
})

/** Clients of the next generation know it as a yes or no. */
const archivedTimeOrNot = (type: ResourceType): Property => ({
  ...archivedTime(type),
  asYesNo: yesNo(isArchived(type), 'yes'),
})

const isArchived = ({ record }: ResourceType): Condition =>
  record === 'asset'
    ? { on: 'column value', column: 'archived', test: { is: 'none of', values: [0] } }
    : isSaid('archived')

/** What of members that are more than one field (rules/) can be asked about; of what is worked out, nothing. */
const ruledProperties: Readonly<Partial<Record<MemberRule, Rule>>> = {
  'log status': (farm) => ({ compares: wordsOf(farm, 'log_statuses'), kept: { in: 'column', column: 'status' } }),
  moves: () => yesNo(isMoving, 'yes'),
  'assigns groups': () => yesNo(isAssigning, 'yes'),
  'log geometry': () => ({
    properties: geometryProperties({
      in: 'either',
      places: [
        { when: isMoving, kept: { in: 'index', field: 'movement.geometry' } },
        { when: not(isMoving), kept: { in: 'index', field: 'geofield' } },
      ],
    }),
    shown: ({ values }) => listOf(spellGeometry(placeOfLog(values).geometries)),
    filled: eitherOf([isSaid('movement.geometry'), allOf([isSaid('geofield'), not(isMoving)])]),
  }),
  'asset status': (farm, type) => ({
    compares: wordsOf(farm, 'asset_statuses'),
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
  'area type': (farm) => ({ compares: wordsOf(farm, 'area_types'), kept: { in: 'index', field: 'area_type' } }),
  'drawn geometry': () => ({
    properties: geometryProperties({ in: 'index', field: 'geofield' }),
    shown: ({ values }) => listOf(spellGeometry((values.geofield as readonly string[] | undefined) ?? [])),
    filled: isSaid('geofield'),
  }),
  description: () => ({
    properties: richTextProperties({ in: 'index', field: 'description' }),
    shown: ({ values }) => listOf(shownText(richTextOf(values))),
    filled: isSaid('description'),
  }),
  fraction: () => ({
    properties: new Map<string, Property>([
      ['decimal', { compares: { as: 'decimal' }, kept: keptAt('quantity', 'value') }],
      ['numerator', { compares: { as: 'decimal' }, kept: inRecord }],
      ['denominator', { compares: { as: 'decimal' }, kept: inRecord }],
    ]),
    shown: ({ values: { value, fraction } }) => listOf(spellFraction(value, fraction)),
    filled: { on: 'column value', column: 'value_key', test: { is: 'none of', values: [''] } },
  }),
}

const shownText = (text: RichText | undefined) => (text === undefined ? null : spellRichText(text))
