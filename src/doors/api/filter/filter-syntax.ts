import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import {
  type MemberPath,
  type ParameterValue,
  parameterName,
  pathIn,
  type QueryParameters,
} from '../query-parameters.ts'

/** The root group, to which everything without a group belongs. */
const rootGroup = '@root'

/** The whole `filter` as one group. */
export function filterIn(parameters: QueryParameters): FilterGroup {
  const given = parameters.get('filter') ?? new Map()
  if (typeof given === 'string') throw badQuery('filter', 'takes what is compared in brackets: filter[status]=done')
  const items = new Map([...given].map(([name, one]) => [name, filterItem(name, one)]))
  refuseTooMany(items)
  for (const [name, item] of items) refuseLostMember(items, name, item)
  return groupUnder(rootGroup, 'AND', items)
}

type FilterItems = ReadonlyMap<string, FilterItem>

function refuseTooMany(items: FilterItems): void {
  if (items.size <= limits.filterItems) return
  throw badQuery('filter', `takes ${limits.filterItems} conditions and groups, these are ${items.size}`)
}

/** Refuses a group whose chain of parents does not end at the root. */
function refuseLostMember(items: FilterItems, name: string, item: FilterItem): void {
  const passed = new Set([name])
  for (let memberOf = outerOf(item); memberOf !== undefined; ) {
    const { id, parameter } = memberOf
    const group = items.get(id)
    if (group === undefined || !isGroupItem(group))
      throw badQuery(
        parameter,
        `there is no group ${JSON.stringify(id)}; declare it: ${parameterName('filter', id)}[group][conjunction]=OR`,
      )
    if (passed.has(id)) throw badQuery(parameter, `the group ${JSON.stringify(id)} is a member of itself`)
    passed.add(id)
    if (passed.size > limits.depth)
      throw badQuery(parameter, `groups may be nested ${limits.depth} levels deep, these are deeper`)
    memberOf = outerOf(group)
  }
}

const outerOf = ({ memberOf }: FilterItem): GroupMembership => (memberOf?.id === rootGroup ? undefined : memberOf)

const isGroupItem = (item: FilterItem): item is Extract<FilterItem, { conjunction: unknown }> => 'conjunction' in item

/** A group without members has no condition. */
function groupUnder(name: string, conjunction: FilterGroup['conjunction'], items: FilterItems): FilterGroup {
  const members = [...items].flatMap(([inner, item]): FilterGroup['members'] => {
    if ((outerOf(item)?.id ?? rootGroup) !== name) return []
    if (!isGroupItem(item)) return [item.condition]
    const group = groupUnder(inner, item.conjunction, items)
    return group.members.length === 0 ? [] : [group]
  })
  return { conjunction, members }
}

/** The parent group, and the parameter that names it; undefined: the root. */
type GroupMembership = { readonly id: string; readonly parameter: string } | undefined

/** An entry of `filter`: a condition or a group, which may belong to another group. */
type FilterItem =
  | { readonly condition: FilterCondition; readonly memberOf: GroupMembership }
  | { readonly conjunction: FilterGroup['conjunction']; readonly memberOf: GroupMembership }

/**
 * A condition is written in full (`filter[t][condition][path]=…`), without `condition`, or short with the path as its
 * name (`filter[status]=done`, `filter[name][operator]=CONTAINS`).
 */
function filterItem(name: string, given: ParameterValue): FilterItem {
  const at = parameterName('filter', name)
  if (typeof given === 'string' || isList(given)) return conditionIn(at, new Map([['value', given]]), name)
  if (given.has('group')) return groupIn(at, given)
  const whole = given.get('condition')
  if (whole === undefined) return conditionIn(at, given, name)
  refuseOthers(at, given, ['condition'])
  return conditionIn(`${at}[condition]`, membersIn(`${at}[condition]`, whole), undefined)
}

type Members = ReadonlyMap<string, ParameterValue>

const isList = (given: Members): boolean => [...given.keys()].every((key) => /^\d+$/.test(key))

function groupIn(at: string, given: Members): FilterItem {
  refuseOthers(at, given, ['group', 'condition'])
  const group = membersIn(`${at}[group]`, given.get('group') ?? '')
  refuseOthers(`${at}[group]`, group, ['conjunction', 'memberOf'])
  const besides = given.get('condition')
  const aside: Members = besides === undefined ? new Map() : membersIn(`${at}[condition]`, besides)
  refuseOthers(`${at}[condition]`, aside, ['memberOf'])
  const memberOf = memberOfIn(`${at}[group]`, group) ?? memberOfIn(`${at}[condition]`, aside)
  return { conjunction: conjunctionIn(`${at}[group]`, group), memberOf }
}

function conjunctionIn(at: string, group: Members): FilterGroup['conjunction'] {
  const conjunction = group.get('conjunction')
  if (conjunction === 'AND' || conjunction === 'OR') return conjunction
  throw badQuery(`${at}[conjunction]`, 'must be AND or OR', ['AND', 'OR'])
}

function conditionIn(at: string, members: Members, usualPath: string | undefined): FilterItem {
  refuseOthers(at, members, ['path', 'operator', 'value', 'memberOf'])
  const path = members.get('path') ?? usualPath
  if (typeof path !== 'string') throw badQuery(`${at}[path]`, 'must name what is compared')
  const parameter = members.has('path') ? `${at}[path]` : at
  const operator = operatorIn(at, members)
  const values = valuesIn(at, members, operator)
  return {
    condition: { path: pathIn(parameter, path), operator, values, parameter },
    memberOf: memberOfIn(at, members),
  }
}

const isOperator = (word: ParameterValue): word is FilterOperator =>
  typeof word === 'string' && Object.hasOwn(valuesTaken, word)

function operatorIn(at: string, members: Members): FilterOperator {
  const operator = members.get('operator') ?? '='
  if (isOperator(operator)) return operator
  throw badQuery(`${at}[operator]`, 'is not known', Object.keys(valuesTaken))
}

function valuesIn(at: string, members: Members, operator: FilterOperator): readonly string[] {
  const given = members.get('value')
  const list = given === undefined || typeof given === 'string' ? [given ?? []].flat() : [...given.values()]
  const values = list.map((value) => {
    if (typeof value === 'string') return value
    throw badQuery(`${at}[value]`, 'must be a text, or a list of texts')
  })
  const parameter = members.has('value') && !members.has('operator') && !members.has('path') ? at : `${at}[value]`
  switch (valuesTaken[operator]) {
    case 'none':
      if (values.every((value) => value === '')) return []
      throw badQuery(parameter, `${operator} takes no value`)
    case 'one':
      if (values.length === 1) return values
      throw badQuery(parameter, `${operator} takes one value, not ${values.length}; for several there is IN`)
    case 'two':
      if (values.length === 2) return values
      throw badQuery(parameter, `${operator} takes two values, not ${values.length}`)
    case 'some':
      if (values.length > 0) return values
      throw badQuery(parameter, `${operator} takes at least one value`)
  }
}

function memberOfIn(at: string, members: Members): GroupMembership {
  const id = members.get('memberOf')
  const parameter = `${at}[memberOf]`
  if (id === undefined) return undefined
  if (typeof id !== 'string') throw badQuery(parameter, 'must name a group')
  return { id, parameter }
}

function membersIn(at: string, given: ParameterValue): Members {
  if (typeof given !== 'string') return given
  throw badQuery(at, 'takes further brackets')
}

function refuseOthers(at: string, given: Members, known: readonly string[]): void {
  const other = [...given.keys()].find((name) => !known.includes(name))
  if (other === undefined) return
  const allowed = known.map((name) => `${at}[${name}]`)
  throw badQuery(`${at}[${other}]`, 'is not known here', allowed)
}

/** Number of values by operator. */
const valuesTaken = {
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

export interface FilterCondition {
  readonly path: MemberPath
  readonly operator: FilterOperator
  readonly values: readonly string[]
  /** The parameter with the path, for refusals. */
  readonly parameter: string
}

/** Conditions and groups joined by AND or OR. */
export interface FilterGroup {
  readonly conjunction: 'AND' | 'OR'
  readonly members: readonly (FilterCondition | FilterGroup)[]
}

export const isGroup = (member: FilterCondition | FilterGroup): member is FilterGroup => 'members' in member
