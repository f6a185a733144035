import type { Choice, Farm, RecordTypeName } from '../../../farm/farm.ts'
import { partMembers } from '../../../farm/newer/members.ts'
import type { ResourceType } from '../../../farm/newer/resource-type.ts'
import { type Field, type FieldKind, type FieldOf, isMany } from '../../../fields/field.ts'
import type { LinkedKind, MemberComparison, PlainKind } from '../../../fields/kind.ts'
import { isPlain, rulesOf } from '../../../fields/kinds.ts'
import { columnOf } from '../../../records/finding/conditions.ts'
import { allOf, type Condition, eitherOf, type RecordColumn } from '../../../storage/records/condition.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { spellAttribute } from '../values/attributes.ts'
import { not } from './paths.ts'

/** The way values are compared. */
export type ValueComparison =
  /** Case-insensitive. */
  | { readonly as: 'text' | 'name' }
  /** Exact; the words of the list, and stored words beyond it. */
  | { readonly as: 'word'; readonly words: readonly Choice[] }
  | { readonly as: 'uuid' | 'time' | 'decimal' | 'yes or no' }
  /** The offset between the shown and the stored number. */
  | { readonly as: 'number'; readonly beyond?: number }

/** The storage location of a value. */
export type ValueLocation =
  /** `unset` is the column's content without a value. */
  | { readonly in: 'column'; readonly column: RecordColumn; readonly unset?: string | number }
  /** By its comparison key in the index. */
  | { readonly in: 'index'; readonly field: string }
  /** Not stored: conditions on the record select one of these values. */
  | { readonly in: 'cases'; readonly cases: readonly ValueCase[] }
  /** In one of several places, depending on the record. */
  | { readonly in: 'either'; readonly places: readonly { readonly when: Condition; readonly kept: ValueLocation }[] }
  /** In a column of the quantity's log. */
  | { readonly in: 'log'; readonly column: RecordColumn }
  /** Only in the record itself, which must be read. */
  | { readonly in: 'record' }

interface ValueCase {
  readonly value: string | number | boolean
  readonly when: Condition
}

/** A property that can be filtered and sorted by. */
export interface FilterProperty {
  readonly compares: ValueComparison
  readonly kept: ValueLocation
  /** True if there can be several values. */
  readonly many?: true
  /** Used if it is compared with a boolean. */
  readonly asYesNo?: FilterProperty
}

/** An attribute whose values are objects. */
export interface CompoundAttribute {
  readonly properties: ReadonlyMap<string, FilterProperty>
  /** The values as shown. */
  readonly shown: (record: StoredRecord) => readonly ShownObject[]
  /** The records with any value. */
  readonly filled: Condition
}

export type ShownObject = Readonly<Record<string, unknown>>

/** The filterable parts of an attribute: itself, or its properties; undefined for computed ones. */
export type FilterAttribute = FilterProperty | CompoundAttribute | undefined

export const isCompound = (askable: FilterAttribute): askable is CompoundAttribute =>
  askable !== undefined && 'properties' in askable

interface FieldAt<K extends FieldKind = FieldKind> {
  readonly field: FieldOf<K>
  readonly path: string
  readonly opposite?: true
}

export function fieldAttribute(farm: Farm, type: ResourceType, { field, ...at }: FieldAt): FilterAttribute {
  return isPlain(field) ? plainAttribute(farm, type, { field, ...at }) : linkedAttribute(farm, type, { field, ...at })
}

function plainAttribute(
  farm: Farm,
  type: ResourceType,
  { field, path, opposite }: FieldAt<PlainKind>,
): FilterAttribute {
  const { compares } = rulesOf(field).newer
  const kept = locationOf(type.record, path)
  if (typeof compares !== 'string') return compoundOf(farm, { field, path }, memberProperties(compares, kept))
  if (compares === 'yes or no') return yesNoProperty(hasValue(path), opposite === undefined ? 'yes' : 'no')
  return { compares: { as: compares === 'text' && path === 'name' ? 'name' : compares }, kept, ...manyOf(field) }
}

/** Members of an object value; members without an index are read from the record. */
export function memberProperties(
  compares: Readonly<Record<string, MemberComparison>>,
  kept: ValueLocation,
): ReadonlyMap<string, FilterProperty> {
  const members = Object.entries(compares).map(
    ([name, { as, in: place }]) =>
      [name, { compares: { as }, kept: place === 'index' ? kept : onlyInRecord } satisfies FilterProperty] as const,
  )
  return new Map(members)
}

type LinkedAttributes = {
  readonly [K in LinkedKind]: (farm: Farm, type: ResourceType, at: FieldAt<K>) => FilterAttribute
}

const linkedAttributes: LinkedAttributes = {
  choice: (farm, type, { field, path }) => ({
    compares: wordComparison(farm, field.list),
    kept: locationWithBundle(farm, type, { path, kept: locationOf(type.record, path) }),
    ...manyOf(field),
  }),
  part: (farm, type, { field, path }) => compoundOf(farm, { field, path }, partProperties(farm, type, { field, path })),
  reference: () => undefined,
  attachment: () => undefined,
}

const linkedAttribute = <K extends LinkedKind>(farm: Farm, type: ResourceType, at: FieldAt<K>): FilterAttribute =>
  linkedAttributes[(at.field as Field).kind as K](farm, type, at)

function compoundOf(
  farm: Farm,
  { field, path }: { readonly field: Field; readonly path: string },
  properties: ReadonlyMap<string, FilterProperty>,
): CompoundAttribute {
  const shown = ({ values }: StoredRecord) => shownObjects(spellAttribute(field, values[path], farm))
  return { properties, shown, filled: isFilled(field, path) }
}

function partProperties(farm: Farm, type: ResourceType, { field, path }: FieldAt<'part'>) {
  const members = partMembers(field).flatMap(({ own, name, field: inner }) => {
    const askable = fieldAttribute(farm, type, { field: inner, path: `${path}.${own}` })
    return askable === undefined || isCompound(askable) ? [] : [[name, { ...askable, ...manyOf(field) }] as const]
  })
  return new Map<string, FilterProperty>(members)
}

/** A part exists if any of its fields has a value. */
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

/** If several bundles are one type, the bundle is the default of the deciding field. */
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

/** Quantities are filtered by columns, with or without a log. */
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

export const shownObjects = (shown: unknown): readonly ShownObject[] =>
  shown === null ? [] : ((Array.isArray(shown) ? shown : [shown]) as readonly ShownObject[])
