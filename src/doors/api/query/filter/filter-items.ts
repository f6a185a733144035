import { badQuery } from '../../../../records/finding/filter.ts'
import { type Given, written } from '../parameters.ts'
import { pathIn } from '../path.ts'
import { type FilterCondition, type FilterGroup, type FilterOperator, valuesTaken } from './filter-tree.ts'

/** The group that something belongs to, and how the parameter is written that says so; undefined: to the whole. */
export type MemberOf = { readonly id: string; readonly parameter: string } | undefined

/** What stands under one name of `filter`: a condition or a group, which may belong to another group. */
export type FilterItem =
  | { readonly condition: FilterCondition; readonly memberOf: MemberOf }
  | { readonly conjunction: FilterGroup['conjunction']; readonly memberOf: MemberOf }

/**
 * A condition is written whole (`filter[t][condition][path]=…`), without `condition`, or short, where the name is the path
 * (`filter[status]=done`, `filter[name][operator]=CONTAINS`).
 */
export function itemOf(name: string, given: Given): FilterItem {
  const at = written('filter', name)
  if (typeof given === 'string' || isList(given)) return conditionIn(at, new Map([['value', given]]), name)
  if (given.has('group')) return groupIn(at, given)
  const whole = given.get('condition')
  if (whole === undefined) return conditionIn(at, given, name)
  refuseOthers(at, given, ['condition'])
  return conditionIn(`${at}[condition]`, membersIn(`${at}[condition]`, whole), undefined)
}

type Members = ReadonlyMap<string, Given>

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

const isOperator = (word: Given): word is FilterOperator => typeof word === 'string' && Object.hasOwn(valuesTaken, word)

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

function memberOfIn(at: string, members: Members): MemberOf {
  const id = members.get('memberOf')
  const parameter = `${at}[memberOf]`
  if (id === undefined) return undefined
  if (typeof id !== 'string') throw badQuery(parameter, 'must name a group')
  return { id, parameter }
}

function membersIn(at: string, given: Given): Members {
  if (typeof given !== 'string') return given
  throw badQuery(at, 'takes further brackets')
}

function refuseOthers(at: string, given: Members, known: readonly string[]): void {
  const other = [...given.keys()].find((name) => !known.includes(name))
  if (other === undefined) return
  const allowed = known.map((name) => `${at}[${name}]`)
  throw badQuery(`${at}[${other}]`, 'is not known here', allowed)
}
