import type { Farm, RecordTypeName } from '../../../../farm/farm.ts'
import type { Member, MemberRule, Note, ResourceType } from '../../../../farm/newer/resource-type.ts'
import { type Field, isMany } from '../../../../fields/field.ts'
import { columnOf } from '../../../../records/finding/column-conditions.ts'
import { type Condition, every, type RecordColumn } from '../../../../storage/records/condition.ts'
import { areaNumbers } from '../../wire/identifiers.ts'
import { isAssigning, isMoving, not } from './log-conditions.ts'
import type { Case, Comparison, Kept, Property } from './property.ts'

/** What of an attribute can be asked about: itself, or each of its properties; nothing of what is worked out when it is read. */
export type Askable = Property | ReadonlyMap<string, Property> | undefined

export const isCompound = (askable: Askable): askable is ReadonlyMap<string, Property> => askable instanceof Map

export const uuidProperty: Property = { compares: { as: 'uuid' }, kept: { in: 'column', column: 'uuid' } }

/** What of an attribute of a type can be asked about. */
export function askableOf(farm: Farm, type: ResourceType, { field, source }: Member): Askable {
  switch (source.of) {
    case 'field':
      return ofField(farm, type, { field, path: source.field, ...(source.opposite ? { opposite: true } : {}) })
    case 'note':
      return notes[source.note](type)
    case 'rule':
      return rules[source.rule]?.(farm, type, field)
    case 'two fields':
      return undefined
  }
}

interface FieldAt {
  readonly field: Field
  readonly path: string
  readonly opposite?: true
}

function ofField(farm: Farm, type: ResourceType, { field, path, opposite }: FieldAt): Askable {
  const kept = keptAt(type.record, path)
  const many = isMany(field) ? { many: true as const } : {}
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return { compares: { as: path === 'name' ? 'name' : 'text' }, kept, ...many }
    case 'timestamp':
      return { compares: { as: 'time' }, kept }
    case 'whole':
      return { compares: { as: 'number' }, kept }
    case 'decimal':
      return { compares: { as: 'decimal' }, kept }
    case 'choice':
      return { compares: wordsOf(farm, field.list), kept: saidByBundle(farm, type, { path, kept }), ...many }
    case 'yes-no':
      return yesNo(isSaid(path), opposite === undefined ? 'yes' : 'no')
    case 'rich-text':
    case 'geometry':
      return new Map([['value', { compares: { as: 'text' }, kept, ...many }]])
    case 'period':
      return new Map([['value', { compares: { as: 'time' }, kept }]])
    case 'part':
      return new Map(
        Object.entries(field.fields).flatMap(([name, own]) => {
          const askable = ofField(farm, type, { field: own, path: `${path}.${name}` })
          return askable === undefined || isCompound(askable)
            ? []
            : [[own.newer?.name ?? name, { ...askable, ...many }] as const]
        }),
      )
    case 'reference':
    case 'attachment':
      return undefined
  }
}

const wordsOf = (farm: Farm, list: string): Comparison => ({ as: 'word', words: farm.lists[list] ?? [] })

/** What a quantity is found by has columns, whether it waits or a log has it. */
const quantityColumns: Readonly<Record<string, RecordColumn>> = {
  measure: 'measure',
  label: 'label_key',
  value: 'value_key',
  adjustment: 'adjustment',
}

function keptAt(record: RecordTypeName, path: string): Kept {
  const ofQuantity = record === 'quantity' ? quantityColumns[path] : undefined
  if (ofQuantity !== undefined) return { in: 'column', column: ofQuantity, unset: '' }
  const column = columnOf(record, path)
  if (column === undefined) return { in: 'index', field: path }
  return { in: 'column', column, ...(column === 'archived' ? { unset: 0 } : {}) }
}

const isSaid = (field: string): Condition => ({ on: 'field value', field, test: { is: 'all', tests: [] } })

const ofBundle = (bundle: string): Condition => ({
  on: 'column value',
  column: 'bundle',
  test: { is: 'any of', values: [bundle] },
})

/** Where several bundles are one type, the bundle tells what nobody said. */
function saidByBundle(
  farm: Farm,
  { record, bundles }: ResourceType,
  { path, kept }: { path: string; kept: Kept },
): Kept {
  const telling = bundles.flatMap((bundle) => {
    const by = farm.records[record].bundles[bundle]?.newer?.by
    return by?.field === path && by.word !== undefined ? [{ bundle, word: by.word }] : []
  })
  if (telling.length === 0) return kept
  const cases = telling.map(({ bundle, word }): Case => ({ value: word, when: ofBundle(bundle) }))
  const isTold: Condition = { on: 'either', conditions: cases.map(({ when }) => when) }
  const isUnsaid: Condition = { on: 'all', conditions: [isTold, { on: 'no-facet', field: path }] }
  return {
    in: 'either',
    places: [
      { when: not(isUnsaid), kept },
      { when: isUnsaid, kept: { in: 'cases', cases } },
    ],
  }
}

const yesNo = (condition: Condition, means: 'yes' | 'no'): Property => ({
  compares: { as: 'yes or no' },
  kept: {
    in: 'cases',
    cases: [
      { value: means === 'yes', when: condition },
      { value: means !== 'yes', when: not(condition) },
    ],
  },
})

const constant = (compares: Comparison, value: string | boolean): Property => ({
  compares,
  kept: { in: 'cases', cases: [{ value, when: every }] },
})

const inColumn = (column: RecordColumn, compares: Comparison): Property => ({
  compares,
  kept: { in: 'column', column },
})

const notes: Readonly<Record<Note, (type: ResourceType) => Property | undefined>> = {
  number: ({ kind }) => inColumn('id', { as: 'number', ...(kind === undefined ? {} : { beyond: areaNumbers }) }),
  revision: () => inColumn('revision', { as: 'number' }),
  language: () => constant({ as: 'text' }, 'en'),
  yes: () => constant({ as: 'yes or no' }, true),
  created: () => inColumn('created', { as: 'time' }),
  changed: () => inColumn('changed', { as: 'time' }),
  author: () => undefined,
  reviser: () => undefined,
  bundle: () => undefined,
}

type Rule = (farm: Farm, type: ResourceType, field: Field) => Askable

const text = (field: string): Property => ({ compares: { as: 'text' }, kept: { in: 'index', field } })

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

/** Members that are more than one field (rules/). */
const rules: Readonly<Partial<Record<MemberRule, Rule>>> = {
  'log status': (farm) => ({ compares: wordsOf(farm, 'log_statuses'), kept: { in: 'column', column: 'status' } }),
  moves: () => yesNo(isMoving, 'yes'),
  'assigns groups': () => yesNo(isAssigning, 'yes'),
  'log geometry': () =>
    new Map([
      [
        'value',
        {
          compares: { as: 'text' },
          kept: {
            in: 'either',
            places: [
              { when: isMoving, kept: { in: 'index', field: 'movement.geometry' } },
              { when: not(isMoving), kept: { in: 'index', field: 'geofield' } },
            ],
          },
        },
      ],
    ]),
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
  'drawn geometry': () => new Map([['value', { ...text('geofield'), many: true }]]),
  description: () => new Map([['value', text('description')]]),
  fraction: () => new Map([['decimal', { compares: { as: 'decimal' }, kept: keptAt('quantity', 'value') }]]),
}
