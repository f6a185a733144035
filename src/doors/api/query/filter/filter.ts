import { badQuery } from '../../../../records/finding/filter.ts'
import { limits } from '../../../http/limits.ts'
import { type Parameters, written } from '../parameters.ts'
import { type FilterItem, itemOf, type MemberOf } from './filter-items.ts'
import type { FilterGroup } from './filter-tree.ts'

/** The name of the whole, to which everything belongs that names no group. */
const root = '@root'

/** All that `filter` asks for, as one group. */
export function filterIn(parameters: Parameters): FilterGroup {
  const given = parameters.get('filter') ?? new Map()
  if (typeof given === 'string') throw badQuery('filter', 'takes what is compared in brackets: filter[status]=done')
  const items = new Map([...given].map(([name, one]) => [name, itemOf(name, one)]))
  refuseTooMany(items)
  for (const [name, item] of items) refuseLostMember(items, name, item)
  return groupUnder(root, 'AND', items)
}

type Items = ReadonlyMap<string, FilterItem>

function refuseTooMany(items: Items): void {
  if (items.size <= limits.filterItems) return
  throw badQuery('filter', `takes ${limits.filterItems} conditions and groups, these are ${items.size}`)
}

/** Whoever is asked for its group, and that for its own, comes to the whole at last. */
function refuseLostMember(items: Items, name: string, item: FilterItem): void {
  const passed = new Set([name])
  for (let memberOf = outerOf(item); memberOf !== undefined; ) {
    const { id, parameter } = memberOf
    const group = items.get(id)
    if (group === undefined || !isGroupItem(group))
      throw badQuery(
        parameter,
        `there is no group ${JSON.stringify(id)}; declare it: ${written('filter', id)}[group][conjunction]=OR`,
      )
    if (passed.has(id)) throw badQuery(parameter, `the group ${JSON.stringify(id)} is a member of itself`)
    passed.add(id)
    if (passed.size > limits.depth)
      throw badQuery(parameter, `groups may be nested ${limits.depth} levels deep, these are deeper`)
    memberOf = outerOf(group)
  }
}

const outerOf = ({ memberOf }: FilterItem): MemberOf => (memberOf?.id === root ? undefined : memberOf)

const isGroupItem = (item: FilterItem): item is Extract<FilterItem, { conjunction: unknown }> => 'conjunction' in item

/** A group without members asks for nothing. */
function groupUnder(name: string, conjunction: FilterGroup['conjunction'], items: Items): FilterGroup {
  const members = [...items].flatMap(([inner, item]): FilterGroup['members'] => {
    if ((outerOf(item)?.id ?? root) !== name) return []
    if (!isGroupItem(item)) return [item.condition]
    const group = groupUnder(inner, item.conjunction, items)
    return group.members.length === 0 ? [] : [group]
  })
  return { conjunction, members }
}
