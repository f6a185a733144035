import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, joined, listed, paced, word } from '../sql/fragment.ts'
import type { Condition, Order, OrderBy, Search } from './condition.ts'
import { conditionSql, unmarked } from './condition-sql.ts'
import { toTarget, toValue } from './path.ts'

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

interface IdSlice {
  readonly offset: number
  readonly limit: number
  /** The total count. */
  readonly count: number
}

/** The ids of one page only: what it shows is looked up for the page, not for what it skips. */
export async function idsOfPage(
  snapshot: Snapshot,
  search: Search,
  { offset, limit, count }: IdSlice,
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
  { offset, limit }: Pick<IdSlice, 'offset' | 'limit'>,
): Promise<readonly number[]> => idsIn(snapshot, search, { limit, offset })

const turned = (search: Search): Search => ({
  ...search,
  order: search.order.map(({ by, direction }) => ({ by, direction: direction === 'asc' ? 'desc' : 'asc' })),
  ties: 'desc',
})

type Window = Pick<IdSlice, 'offset' | 'limit'>

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

/** The rows of one status that the page can need, in index order. */
const firstOf = (search: Search, order: Fragment, { limit, offset }: Window): Fragment =>
  fragment`select id from (select record.id as id ${matching(search)} order by ${order} limit ${limit + offset}) as one`

/** One key of an order, over the record table, which the query calls `record`. What has no key comes before all others. */
function orderSql(type: RecordTypeName, { by, direction }: Order, statuses: readonly string[]): Fragment {
  if ('isStatus' in by) return statusOrder(by.isStatus, direction, statuses)
  if ('column' in by && !('along' in by)) return word(`record.${by.column} ${direction}`)
  const nothing = word(direction === 'asc' ? 'nulls first' : 'nulls last')
  return fragment`${keySql(type, by)} ${word(direction)} ${nothing}`
}

function keySql(type: RecordTypeName, by: OrderBy | { readonly key: string }): Fragment {
  if ('key' in by) return fragment`${by.key}`
  if ('facet' in by)
    return fragment`coalesce((select min(coalesce(whole_key, key)) from facet where record_id = record.id
      and path = ${toValue(type, by.facet)}), '')`
  if ('cases' in by) {
    const each = by.cases.map((one) => fragment`when ${conditionSql(type, one.when)} then ${keySql(type, one.by)}`)
    return each.length === 0 ? word('null') : fragment`(case ${joined(each, ' ')} end)`
  }
  return 'along' in by ? keyOfTarget(type, by) : word(`record.${by.column}`)
}

type OrderAlong = Extract<OrderBy, { readonly along: unknown }>

function keyOfTarget(type: RecordTypeName, { along, to, column }: OrderAlong): Fragment {
  const key = word(`target.${column}`)
  const table = word(to)
  const number = word(to === 'account' ? 'target.uid' : 'target.id')
  if (along.by === 'reference')
    return fragment`(select min(${key}) from reference join ${table} as target on ${number} = reference.target_id
      where reference.path = ${toTarget(type, along)} and reference.source_id = record.id)`
  const side = word(along.by === 'column' ? `record.${along.column}` : 'record.log_id')
  return fragment`(select ${key} from ${table} as target where ${number} = ${side})`
}

/** True if a search needs the set of existing statuses. */
const isAboutStatuses = ({ conditions, order }: Search): boolean =>
  order.some(({ by }) => 'isStatus' in by) || conditions.some(isOfSeveral)

/**
 * A search for records of several statuses, in order of id, as one for each status that there is: an index has those of one status in that
 * order, and those of several would all have to be sorted.
 */
function oneForEachStatus(search: Search, statuses: readonly string[]): readonly Search[] {
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

const isById = ({ by }: Order): boolean => 'column' in by && !('along' in by) && by.column === 'id'

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

/** Sorts by one status. If there is one other, an index has that order in some direction. */
function statusOrder(status: string, direction: Order['direction'], all: readonly string[]): Fragment {
  const [other = '', another] = all.filter((one) => one !== status)
  if (another === undefined && other < status) return word(`record.status ${direction}`)
  if (another === undefined) return word(`record.status ${direction === 'asc' ? 'desc' : 'asc'}`)
  return fragment`case when record.status = ${status} then 1 else 0 end ${word(direction)}`
}

/** True if the tally table has the count: by bundle, log status, archived or not. */
export const isTallied = ({ type, conditions }: Search): boolean =>
  type !== 'quantity' && conditions.every((condition) => countedBy(condition) !== undefined)

/** The count without reading records. */
async function tallied(snapshot: Snapshot, search: Search): Promise<number | undefined> {
  if (!isTallied(search)) return undefined
  const { type, conditions } = search
  const wanted = [fragment`record_table = ${type}`, ...conditions.flatMap((one) => countedBy(one) ?? [])]
  const [sum] = await ask<{ count: number | null }>(
    snapshot,
    fragment`select sum(count) as count from tally where ${joined(wanted, ' and ')}`,
  )
  return Number(sum?.count ?? 0)
}

function countedBy(condition: Condition) {
  if (condition.on !== 'column' || condition.test.operator !== 'eq') return undefined
  const { values } = condition.test
  if (values.length === 0) return undefined
  if (condition.column === 'bundle') return fragment`bundle in (${listed(values)})`
  if (condition.column === 'status') return fragment`status in (${listed(values)})`
  const isKept = condition.column === 'archived' && values.every((value) => value === 0)
  return isKept ? fragment`status = ${'kept'}` : undefined
}

/** The statuses that records of the type have. */
async function statusesOf(snapshot: Snapshot, type: RecordTypeName): Promise<readonly string[]> {
  const found = await ask<{ status: string }>(
    snapshot,
    fragment`select status from tally where record_table = ${type} group by status having sum(count) > 0`,
  )
  return found.map(({ status }) => status)
}
