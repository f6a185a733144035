import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, joined, paced, word } from '../sql/fragment.ts'
import type { Condition, Order, Search } from './condition.ts'
import { conditionSql, unmarked } from './condition-sql.ts'
import { orderSql } from './order-sql.ts'
import { toTarget } from './path.ts'
import { isAboutStatuses, isById, oneForEachStatus } from './statuses.ts'
import { statusesOf, tallied } from './tally.ts'

function matching(search: Search): Fragment {
  const { type, conditions, order } = search
  const sole = soleReference(search)
  if (sole !== undefined) return sole
  const table = word(type)
  const isScan = !(conditions.every(isLookedUp) && order.every(isInIndex))
  if (conditions.length === 0) return fragment`from ${table} as record${isScan ? everyPaced : word('')}`
  const all = conditions.map((condition) => conditionSql(type, condition))
  return fragment`from ${table} as record where ${isScan ? paced('record.id') : word('')}${joined(all, ' and ')}`
}

const everyPaced = fragment` where ${paced('record.id')}1 = 1`

const isLookedUp = (condition: Condition): boolean =>
  (condition.on === 'column' || condition.on === 'reference') && condition.test.operator === 'eq'

const indexed: readonly string[] = ['id', 'bundle', 'status', 'timestamp', 'name_key', 'archived', 'weight']

const isInIndex = ({ by }: Order): boolean =>
  'isStatus' in by || ('column' in by && !('along' in by) && indexed.includes(by.column))

/** A list of what refers to one thing, in order of id, stands ready in the index of references. */
function soleReference({ type, conditions, order }: Search): Fragment | undefined {
  const [condition, another] = conditions
  if (condition?.on !== 'reference' || condition.test.operator !== 'eq' || another !== undefined) return undefined
  const [id, second] = condition.test.values
  if (id === undefined || second !== undefined || !order.every(isById)) return undefined
  return fragment`from (select source_id as id from reference where path = ${toTarget(type, condition)}
    and target_id = ${id}${unmarked(type, condition, 'source_id')}) as record`
}

export async function countMatches(snapshot: Snapshot, search: Search): Promise<number> {
  const known = await tallied(snapshot, search)
  if (known !== undefined) return known
  const [counted] = await ask<{ count: number }>(snapshot, fragment`select count(*) as count ${matching(search)}`)
  return Number(counted?.count)
}

/** All ids that match, in order. */
export function idsOfMatches(snapshot: Snapshot, search: Search): Promise<readonly number[]> {
  return idsIn(snapshot, search)
}

export interface Slice {
  readonly offset: number
  readonly limit: number
  /** How many match in all. */
  readonly count: number
}

/** The ids of one page only: what it shows is looked up for the page, not for what it skips. */
export async function idsOfPage(
  snapshot: Snapshot,
  search: Search,
  { offset, limit, count }: Slice,
): Promise<readonly number[]> {
  if (offset <= count / 2) return idsIn(snapshot, search, { limit, offset })
  // A page beyond the middle is nearer from the end: the same order turned round, and the page turned back.
  const size = Math.min(limit, count - offset)
  const found = await idsIn(snapshot, turned(search), { limit: size, offset: count - offset - size })
  return found.toReversed()
}

/** A part of all that match, of which nobody asks how many there are. */
export const idsOfSlice = (
  snapshot: Snapshot,
  search: Search,
  { offset, limit }: Pick<Slice, 'offset' | 'limit'>,
): Promise<readonly number[]> => idsIn(snapshot, search, { limit, offset })

const turned = (search: Search): Search => ({
  ...search,
  order: search.order.map(({ by, direction }) => ({ by, direction: direction === 'asc' ? 'desc' : 'asc' })),
  ties: 'desc',
})

type Window = Pick<Slice, 'offset' | 'limit'>

async function idsIn(snapshot: Snapshot, search: Search, window?: Window): Promise<readonly number[]> {
  const isSettled = search.order.some(isById)
  const ties = isSettled ? [] : [word(`record.id ${search.ties ?? 'asc'}`)]
  const statuses = isAboutStatuses(search) ? await statusesOf(snapshot, search.type) : []
  const order = joined([...search.order.map((order) => orderSql(search.type, order, statuses)), ...ties], ', ')
  const each = window === undefined ? [search] : oneForEachStatus(search, statuses)
  const [only = search, ...more] = each
  const from =
    window === undefined || more.length === 0
      ? matching(only)
      : fragment`from (${joined(
          each.map((one) => firstOf(one, order, window)),
          ' union all ',
        )}) as record`
  const slice = window === undefined ? word('') : fragment`limit ${window.limit} offset ${window.offset}`
  const found = await ask<{ id: number }>(snapshot, fragment`select record.id as id ${from} order by ${order} ${slice}`)
  return found.map((row) => row.id)
}

/** As many as the page can need of one status, which an index has in order. */
const firstOf = (search: Search, order: Fragment, { limit, offset }: Window): Fragment =>
  fragment`select id from (select record.id as id ${matching(search)} order by ${order} limit ${limit + offset}) as one`
