import type { RecordTypeName } from '../../farm/farm.ts'
import type { PointInTime } from '../farm-state.ts'
import type { StayKind } from '../history/stay-rows.ts'

export type Operator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'ct' | 'sw'

export const operators: readonly Operator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'ct', 'sw']

/** Any of the values by this operator; for `ne`: none of them. No values: nothing is like that. */
export interface ColumnComparison<T extends string | number> {
  readonly operator: Operator
  readonly values: readonly T[]
}

/** The columns that every condition and order may name. */
export type RecordColumn =
  | 'id'
  | 'bundle'
  | 'name_key'
  | 'uid'
  | 'created'
  | 'changed'
  | 'timestamp'
  | 'status'
  | 'archived'
  | 'weight'
  | 'uuid'
  | 'revision'
  | 'measure'
  | 'label_key'
  | 'value_key'
  | 'adjustment'
  | 'log_id'

/** A test of one value, by its comparison key or number. */
export type ValueTest =
  | { readonly is: 'any of' | 'none of'; readonly values: readonly (string | number)[] }
  | { readonly is: 'above' | 'from' | 'below' | 'to'; readonly value: string | number }
  | { readonly is: 'containing' | 'beginning with' | 'ending with'; readonly text: string }
  | { readonly is: 'all' | 'either'; readonly tests: readonly ValueTest[] }

/** A path from a record to others. */
export type ReferenceRoute =
  /** Along a field; without what another field refers to as well. */
  | { readonly by: 'reference'; readonly field: string; readonly target: string; readonly except?: string }
  /** Along a column: to the author, or to the unit of a quantity. */
  | { readonly by: 'column'; readonly column: 'uid' | 'unit_id' }
  /** To the author of its last revision. */
  | { readonly by: 'last revision' }
  /** From a log to its quantities. */
  | { readonly by: 'quantities' }
  /** From a quantity to its log. */
  | { readonly by: 'log' }

/** The end of a path: a matching record, one of these ids, or any. */
export type Destination =
  | { readonly is: 'record'; readonly type: RecordTypeName; readonly condition: Condition }
  | { readonly is: 'number'; readonly numbers: readonly number[] }
  | { readonly is: 'anything' }

/** Only values of records that are not marked (see markOf in path.ts): who asks is not shown the others. */
export type UnmarkedOnly = true

/** One thing that a record must be like to be found. */
export type Condition =
  | { readonly on: 'column'; readonly column: RecordColumn; readonly test: ColumnComparison<string | number> }
  | {
      readonly on: 'facet'
      readonly field: string
      readonly test: ColumnComparison<string>
      readonly unmarked?: UnmarkedOnly
    }
  | { readonly on: 'no-facet'; readonly field: string }
  | {
      readonly on: 'reference'
      readonly field: string
      readonly target: string
      readonly test: ColumnComparison<number>
      readonly unmarked?: UnmarkedOnly
    }
  | { readonly on: 'no-reference'; readonly field: string; readonly target: string }
  /** The record is an asset that stays at one of the places then. */
  | {
      readonly on: 'staying'
      readonly kind: StayKind
      readonly places: ColumnComparison<number>
      readonly time: PointInTime
    }
  | { readonly on: 'staying-nowhere'; readonly kind: StayKind; readonly time: PointInTime }
  /** The record is a place where one of the assets stays then. */
  | {
      readonly on: 'occupied'
      readonly kind: StayKind
      readonly assets: ColumnComparison<number>
      readonly time: PointInTime
    }
  | { readonly on: 'unoccupied'; readonly kind: StayKind; readonly time: PointInTime }
  /** The column's value passes. */
  | { readonly on: 'column value'; readonly column: RecordColumn; readonly test: ValueTest }
  /** One value of the field passes. */
  | { readonly on: 'field value'; readonly field: string; readonly test: ValueTest }
  /** One of these, of which there may be thousands. */
  | { readonly on: 'numbered'; readonly numbers: readonly number[] }
  | { readonly on: 'leading to'; readonly way: ReferenceRoute; readonly to: Destination }
  | { readonly on: 'not'; readonly condition: Condition }
  | { readonly on: 'either'; readonly conditions: readonly Condition[] }
  | { readonly on: 'all'; readonly conditions: readonly Condition[] }

/** No record is like that. */
export const none: Condition = { on: 'column', column: 'id', test: { operator: 'eq', values: [] } }

/** Every record is. */
export const every: Condition = { on: 'not', condition: none }

/** All of them; what says nothing is left out. */
export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(none)) return none
  const [first = every, ...others] = conditions.filter((one) => one !== every)
  return others.length === 0 ? first : { on: 'all', conditions: [first, ...others] }
}

/** Any of them. */
export function eitherOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(every)) return every
  const [first = none, ...others] = joinedAlike(conditions.filter((one) => one !== none))
  return others.length === 0 ? first : { on: 'either', conditions: [first, ...others] }
}

/** Conditions on the same value become one, so that it is read once. */
function joinedAlike(conditions: readonly Condition[]): readonly Condition[] {
  const alike = new Map<string, Condition[]>()
  for (const [index, condition] of conditions.entries()) {
    const subject = subjectOf(condition) ?? `${index}`
    alike.set(subject, [...(alike.get(subject) ?? []), condition])
  }
  return [...alike.values()].map((some) => some.reduce(eitherOfTwo))
}

function subjectOf(condition: Condition): string | undefined {
  if (condition.on === 'column value') return `column ${condition.column}`
  if (condition.on === 'field value') return `field ${condition.field}`
  if (condition.on !== 'leading to' || condition.to.is !== 'record') return undefined
  return JSON.stringify([condition.way, condition.to.type])
}

function eitherOfTwo(one: Condition, other: Condition): Condition {
  if ((one.on === 'column value' || one.on === 'field value') && one.on === other.on)
    return { ...one, test: { is: 'either', tests: [...testsIn(one.test), ...testsIn(other.test)] } }
  if (one.on !== 'leading to' || other.on !== 'leading to') return one
  if (one.to.is !== 'record' || other.to.is !== 'record') return one
  return { ...one, to: { ...one.to, condition: eitherOf([one.to.condition, other.to.condition]) } }
}

const testsIn = (test: ValueTest): readonly ValueTest[] => (test.is === 'either' ? test.tests : [test])

/** Any of them; for `ne`, where each says what a record is not, all of them. */
export function together(operator: Operator, conditions: readonly Condition[]): Condition {
  const [first = none, second] = conditions
  if (second === undefined) return first
  return { on: operator === 'ne' ? 'all' : 'either', conditions }
}

export interface Order {
  readonly by:
    | OrderBy
    /** Sorts records with this status last. */
    | { readonly isStatus: string }
  readonly direction: 'asc' | 'desc'
}

export type OrderBy =
  | { readonly column: RecordColumn }
  | { readonly facet: string }
  /** A key for what a record is like, or where it is found then. */
  | { readonly cases: readonly { readonly when: Condition; readonly by: OrderBy | { readonly key: string } }[] }
  /** A column of the one that a way leads to. */
  | { readonly along: ReferenceRoute; readonly to: RecordTypeName | 'account'; readonly column: RecordColumn }

export interface Search {
  readonly type: RecordTypeName
  readonly conditions: readonly Condition[]
  /** First by the first, ties by the next; the id settles what is left. */
  readonly order: readonly Order[]
  /** The direction of the id as a tie-breaker; default: ascending. */
  readonly ties?: Order['direction']
}
