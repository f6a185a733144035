import type { RecordTypeName } from '../../farm/farm.ts'
import type { PointInTime } from '../history/point-in-time.ts'
import type { StayKind } from '../history/stay-rows.ts'

export type Operator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le' | 'ct' | 'sw'

export const operators: readonly Operator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'ct', 'sw']

/** Any of the values by this operator; for `ne`: none of them. No values: nothing is like that. */
export interface Comparing<T extends string | number> {
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

/** One thing that a record must be like to be found. */
export type Condition =
  | { readonly on: 'column'; readonly column: RecordColumn; readonly test: Comparing<string | number> }
  | { readonly on: 'facet'; readonly field: string; readonly test: Comparing<string> }
  | { readonly on: 'no-facet'; readonly field: string }
  | { readonly on: 'reference'; readonly field: string; readonly target: string; readonly test: Comparing<number> }
  | { readonly on: 'no-reference'; readonly field: string; readonly target: string }
  /** The record is an asset that stays at one of the places then. */
  | { readonly on: 'staying'; readonly kind: StayKind; readonly places: Comparing<number>; readonly time: PointInTime }
  | { readonly on: 'staying-nowhere'; readonly kind: StayKind; readonly time: PointInTime }
  /** The record is a place where one of the assets stays then. */
  | { readonly on: 'occupied'; readonly kind: StayKind; readonly assets: Comparing<number>; readonly time: PointInTime }
  | { readonly on: 'unoccupied'; readonly kind: StayKind; readonly time: PointInTime }
  | { readonly on: 'not'; readonly condition: Condition }
  | { readonly on: 'either'; readonly conditions: readonly Condition[] }
  | { readonly on: 'all'; readonly conditions: readonly Condition[] }

/** No record is like that. */
export const none: Condition = { on: 'column', column: 'id', test: { operator: 'eq', values: [] } }

/** Any of them; for `ne`, where each says what a record is not, all of them. */
export function together(operator: Operator, conditions: readonly Condition[]): Condition {
  const [first = none, second] = conditions
  if (second === undefined) return first
  return { on: operator === 'ne' ? 'all' : 'either', conditions }
}

export interface Order {
  readonly by: { readonly column: RecordColumn } | { readonly facet: string }
  readonly direction: 'asc' | 'desc'
}

export interface Search {
  readonly type: RecordTypeName
  readonly conditions: readonly Condition[]
  /** First by the first, ties by the next; the id settles what is left. */
  readonly order: readonly Order[]
  /** How the id settles ties; ascending unless said otherwise. */
  readonly ties?: Order['direction']
}
