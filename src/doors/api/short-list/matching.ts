import type { Field } from '../../../fields/field.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { type FilterCondition, type FilterGroup, type FilterOperator, isGroup } from '../query/filter/filter-tree.ts'
import type { Drawn } from '../wire/thing.ts'
import { byKey, keyOfSpelled } from './comparable.ts'
import { type Searchable, searched } from './searchable.ts'

export type Matches = (drawn: Drawn) => boolean

/** Whether a resource is what a filter asks for. */
export function matching(searchable: Searchable, { conjunction, members }: FilterGroup): Matches {
  const all = members.map((member) => (isGroup(member) ? matching(searchable, member) : holding(searchable, member)))
  return conjunction === 'AND' || all.length === 0
    ? (drawn) => all.every((matches) => matches(drawn))
    : (drawn) => all.some((matches) => matches(drawn))
}

function holding(searchable: Searchable, { path, operator, values, parameter }: FilterCondition): Matches {
  const { field, spelledOf } = searched(searchable, path, parameter)
  const wanted = values.map((value) => requiredKey(field, value, parameter))
  return (drawn) => {
    const spelled = spelledOf(drawn)
    const isNull = spelled === null || spelled === undefined || spelled === ''
    if (operator === 'IS NULL') return isNull
    if (operator === 'IS NOT NULL') return !isNull
    return !isNull && compares[operator](keyOfSpelled(field, spelled) ?? '', wanted)
  }
}

function requiredKey(field: Field, value: string, parameter: string): string {
  const key = keyOfSpelled(field, value)
  if (key !== undefined) return key
  throw badQuery(parameter, `${JSON.stringify(value)} is not ${forms[field.kind] ?? 'a value that it can have'}`)
}

const forms: Readonly<Partial<Record<Field['kind'], string>>> = {
  timestamp: 'a time: Unix seconds, "2024-06-10T05:30:00Z" or "2024-06-10"',
  whole: 'a whole number',
  'yes-no': '1 or 0',
}

type Compare = (key: string, wanted: readonly string[]) => boolean

const first = ([wanted = '']: readonly string[]): string => wanted

const isBetween: Compare = (key, [from = '', to = '']) => byKey(key, from) >= 0 && byKey(key, to) <= 0

const compares: Readonly<Record<Exclude<FilterOperator, 'IS NULL' | 'IS NOT NULL'>, Compare>> = {
  '=': (key, wanted) => key === first(wanted),
  '<>': (key, wanted) => key !== first(wanted),
  '>': (key, wanted) => byKey(key, first(wanted)) > 0,
  '>=': (key, wanted) => byKey(key, first(wanted)) >= 0,
  '<': (key, wanted) => byKey(key, first(wanted)) < 0,
  '<=': (key, wanted) => byKey(key, first(wanted)) <= 0,
  STARTS_WITH: (key, wanted) => key.startsWith(first(wanted)),
  CONTAINS: (key, wanted) => key.includes(first(wanted)),
  ENDS_WITH: (key, wanted) => key.endsWith(first(wanted)),
  IN: (key, wanted) => wanted.includes(key),
  'NOT IN': (key, wanted) => !wanted.includes(key),
  BETWEEN: isBetween,
  'NOT BETWEEN': (key, wanted) => !isBetween(key, wanted),
}
