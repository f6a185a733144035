import type { Path } from '../path.ts'

/** How many values each operator takes. */
export const valuesTaken = {
  '=': 'one',
  '<>': 'one',
  '>': 'one',
  '>=': 'one',
  '<': 'one',
  '<=': 'one',
  STARTS_WITH: 'one',
  CONTAINS: 'one',
  ENDS_WITH: 'one',
  IN: 'some',
  'NOT IN': 'some',
  BETWEEN: 'two',
  'NOT BETWEEN': 'two',
  'IS NULL': 'none',
  'IS NOT NULL': 'none',
} as const

export type FilterOperator = keyof typeof valuesTaken

/** One thing that has to hold of a record. */
export interface FilterCondition {
  readonly path: Path
  readonly operator: FilterOperator
  readonly values: readonly string[]
  /** How the parameter is written that gave the path, for a refusal to point at. */
  readonly parameter: string
}

/** Conditions and further groups, of which all have to hold, or any. */
export interface FilterGroup {
  readonly conjunction: 'AND' | 'OR'
  readonly members: readonly (FilterCondition | FilterGroup)[]
}

export const isGroup = (member: FilterCondition | FilterGroup): member is FilterGroup => 'members' in member
