import { type Fragment, fragment, word } from '../sql/fragment.ts'
import type { Condition, Order, Search } from './condition.ts'

/** Whether it has to be known for a search which statuses there are. */
export const isAboutStatuses = ({ conditions, order }: Search): boolean =>
  order.some(({ by }) => 'isStatus' in by) || conditions.some(isOfSeveral)

/**
 * A search for records of several statuses, in order of id, as one for each status that there is: an index has those of one status in that
 * order, and those of several would all have to be sorted.
 */
export function oneForEachStatus(search: Search, statuses: readonly string[]): readonly Search[] {
  const { conditions, order } = search
  const several = conditions.find(isOfSeveral)
  if (several === undefined) return [search]
  const others = conditions.filter((one) => one !== several)
  const there = [...new Set(several.test.values)].filter((status) => statuses.includes(String(status)))
  const ofOne = (status: string | number): Search => ({
    ...search,
    conditions: [...others, { ...several, test: { operator: 'eq', values: [status] } }],
  })
  const isReady = order.every(isById) && others.every(isOneBundle)
  return isReady || there.length === 1 ? there.map(ofOne) : [search]
}

export const isById = ({ by }: Order): boolean => 'column' in by && !('along' in by) && by.column === 'id'

type ColumnCondition = Extract<Condition, { on: 'column' }>

const isOfSeveral = (condition: Condition): condition is ColumnCondition =>
  condition.on === 'column' &&
  condition.column === 'status' &&
  condition.test.operator === 'eq' &&
  condition.test.values.length > 1

const isOneBundle = (condition: Condition): boolean =>
  condition.on === 'column' &&
  condition.column === 'bundle' &&
  condition.test.operator === 'eq' &&
  condition.test.values.length === 1

/** By whether it is this status. Where there is one other, an index has that order, in one direction or the other. */
export function statusOrder(status: string, direction: Order['direction'], all: readonly string[]): Fragment {
  const [other = '', another] = all.filter((one) => one !== status)
  if (another === undefined && other < status) return word(`record.status ${direction}`)
  if (another === undefined) return word(`record.status ${direction === 'asc' ? 'desc' : 'asc'}`)
  return fragment`case when record.status = ${status} then 1 else 0 end ${word(direction)}`
}
