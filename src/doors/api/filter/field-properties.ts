import type { Choice, Farm, RecordTypeName } from '../../../farm/farm.ts'
import { partMembers } from '../../../farm/newer/members.ts'
import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { type Field, isMany } from '../../../fields/field.ts'
import { columnOf } from '../../../records/finding/conditions.ts'
import { allOf, type Condition, eitherOf, type RecordColumn } from '../../../storage/records/condition.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { spellAttribute } from '../values/attributes.ts'
import { not } from './paths.ts'

/** How values compare. */
export type ValueComparison =
  /** Whatever their case. */
  | { readonly as: 'text' | 'name' }
  /** Exactly; the words of the list, and others that somebody kept. */
  | { readonly as: 'word'; readonly words: readonly Choice[] }
  | { readonly as: 'uuid' | 'time' | 'decimal' | 'yes or no' }
  /** What the number is shown with beyond what is kept. */
  | { readonly as: 'number'; readonly beyond?: number }

/** Where a value is kept. */
export type ValueLocation =
  /** `unset` is in the column where there is no value. */
  | { readonly in: 'column'; readonly column: RecordColumn; readonly unset?: string | number }
  /** Under its comparison key in the index. */
  | { readonly in: 'index'; readonly field: string }
  /** Nowhere: what a record is like tells which of these values it has. */
  | { readonly in: 'cases'; readonly cases: readonly ValueCase[] }
  /** Here or there, as the record is. */
  | { readonly in: 'either'; readonly places: readonly { readonly when: Condition; readonly kept: ValueLocation }[] }
  /** In a column of the log that has the quantity. */
  | { readonly in: 'log'; readonly column: RecordColumn }
  /** Only in the record itself, which has to be looked at. */
  | { readonly in: 'record' }

interface ValueCase {
  readonly value: string | number | boolean
  readonly when: Condition
}

/** One thing of a record that can be asked about and sorted by. */
export interface FilterProperty {
  readonly compares: ValueComparison
  readonly kept: ValueLocation
  /** Whether there may be several values. */
  readonly many?: true
  /** What it is asked as by yes or no. */
  readonly asYesNo?: FilterProperty
}

/** An attribute whose values are objects. */
export interface CompoundAttribute {
  readonly properties: ReadonlyMap<string, FilterProperty>
  /** The values as they are shown. */
  readonly shown: (record: StoredRecord) => readonly ShownObject[]
  /** The records that have any. */
  readonly filled: Condition
}

export type ShownObject = Readonly<Record<string, unknown>>

/** What of an attribute can be asked about: itself, or its properties; nothing of what is worked out when it is read. */
export type FilterAttribute = FilterProperty | CompoundAttribute | undefined

export const isCompound = (askable: FilterAttribute): askable is CompoundAttribute =>
  askable !== undefined && 'properties' in askable

interface FieldAt {
  readonly field: Field
  readonly path: string
  readonly opposite?: true
}

/** What of a field can be asked about. */
export function fieldAttribute(farm: Farm, type: ResourceType, { field, path, opposite }: FieldAt): FilterAttribute {
  const kept = locationOf(type.record, path)
  const many = manyOf(field)
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
      return {
        compares: wordComparison(farm, field.list),
        kept: locationWithBundle(farm, type, { path, kept }),
        ...many,
      }
    case 'yes-no':
      return yesNoProperty(hasValue(path), opposite === undefined ? 'yes' : 'no')
    case 'rich-text':
    case 'geometry':
    case 'period':
    case 'part':
      return compoundOf(farm, type, { field, path })
    case 'reference':
    case 'attachment':
      return undefined
  }
}

/** What of objects can be asked about, by the kind of the field that holds them. */
function compoundOf(farm: Farm, type: ResourceType, at: FieldAt): CompoundAttribute {
  const { field, path } = at
  const shown = ({ values }: StoredRecord) => shownObjects(spellAttribute(field, values[path], farm))
  return { properties: propertiesOf(farm, type, at), shown, filled: isFilled(field, path) }
}

function propertiesOf(farm: Farm, type: ResourceType, { field, path }: FieldAt): ReadonlyMap<string, FilterProperty> {
  if (field.kind === 'part')
    return new Map(
      partMembers(field).flatMap(({ own, name, field: inner }) => {
        const askable = fieldAttribute(farm, type, { field: inner, path: `${path}.${own}` })
        return askable === undefined || isCompound(askable) ? [] : [[name, { ...askable, ...manyOf(field) }] as const]
      }),
    )
  const kept = locationOf(type.record, path)
  if (field.kind === 'rich-text') return richTextProperties(kept)
  if (field.kind === 'geometry') return geometryProperties(kept)
  return new Map([
    ['value', { compares: { as: 'time' }, kept }],
    ['end_value', { compares: { as: 'time' }, kept: onlyInRecord }],
  ])
}

/** A part is there where any of its fields says something. */
const isFilled = (field: Field, path: string): Condition =>
  field.kind === 'part'
    ? eitherOf(Object.entries(field.fields).map(([name, own]) => isFilled(own, `${path}.${name}`)))
    : hasValue(path)

const manyOf = (field: Field) => (isMany(field) ? { many: true as const } : {})

const ofBundle = (bundle: string): Condition => ({
  on: 'column value',
  column: 'bundle',
  test: { is: 'any of', values: [bundle] },
})

/** Where several bundles are one type, the bundle tells what nobody said. */
function locationWithBundle(
  farm: Farm,
  { record, bundles }: ResourceType,
  { path, kept }: { path: string; kept: ValueLocation },
): ValueLocation {
  const telling = bundles.flatMap((bundle) => {
    const by = farm.records[record].bundles[bundle]?.newer?.by
    return by?.field === path && by.word !== undefined ? [{ bundle, word: by.word }] : []
  })
  if (telling.length === 0) return kept
  const cases = telling.map(({ bundle, word }): ValueCase => ({ value: word, when: ofBundle(bundle) }))
  const isTold = eitherOf(cases.map(({ when }) => when))
  const isUnsaid = allOf([isTold, not(hasValue(path))])
  return {
    in: 'either',
    places: [
      { when: not(isUnsaid), kept },
      { when: isUnsaid, kept: { in: 'cases', cases } },
    ],
  }
}

export const wordComparison = (farm: Farm, list: string): ValueComparison => ({
  as: 'word',
  words: farm.lists[list] ?? [],
})

export const hasValue = (field: string): Condition => ({ on: 'field value', field, test: { is: 'all', tests: [] } })

/** What a quantity is found by has columns, whether it waits or a log has it. */
const quantityColumns: Readonly<Record<string, RecordColumn>> = {
  measure: 'measure',
  label: 'label_key',
  value: 'value_key',
  adjustment: 'adjustment',
}

export function locationOf(record: RecordTypeName, path: string): ValueLocation {
  const ofQuantity = record === 'quantity' ? quantityColumns[path] : undefined
  if (ofQuantity !== undefined) return { in: 'column', column: ofQuantity, unset: '' }
  const column = columnOf(record, path)
  if (column === undefined) return { in: 'index', field: path }
  return { in: 'column', column, ...(column === 'archived' ? { unset: 0 } : {}) }
}

export const yesNoProperty = (condition: Condition, means: 'yes' | 'no'): FilterProperty => ({
  compares: { as: 'yes or no' },
  kept: {
    in: 'cases',
    cases: [
      { value: means === 'yes', when: condition },
      { value: means !== 'yes', when: not(condition) },
    ],
  },
})

export const onlyInRecord: ValueLocation = { in: 'record' }

export const richTextProperties = (kept: ValueLocation): ReadonlyMap<string, FilterProperty> =>
  new Map([
    ['value', { compares: { as: 'text' }, kept }],
    ['format', { compares: { as: 'text' }, kept: onlyInRecord }],
  ])

export const geometryProperties = (kept: ValueLocation): ReadonlyMap<string, FilterProperty> =>
  new Map<string, FilterProperty>([
    ['value', { compares: { as: 'text' }, kept }],
    ...geometryNames.map(([name, as]) => [name, { compares: { as }, kept: onlyInRecord }] as const),
  ])

const geometryNames: readonly (readonly [string, 'text' | 'decimal'])[] = [
  ['geo_type', 'text'],
  ['lat', 'decimal'],
  ['lon', 'decimal'],
  ['left', 'decimal'],
  ['top', 'decimal'],
  ['right', 'decimal'],
  ['bottom', 'decimal'],
  ['geohash', 'text'],
  ['latlon', 'text'],
]

export const shownObjects = (shown: unknown): readonly ShownObject[] =>
  shown === null ? [] : ((Array.isArray(shown) ? shown : [shown]) as readonly ShownObject[])
