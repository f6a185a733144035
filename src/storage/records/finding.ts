import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, joined, word } from '../sql/fragment.ts'
import type { Order, Search } from './condition.ts'
import { conditionSql } from './condition-sql.ts'
import { toTarget, toValue } from './path.ts'
import { tallied } from './tally.ts'

function matching(search: Search): Fragment {
  const { type, conditions } = search
  const sole = soleReference(search)
  if (sole !== undefined) return sole
  const table = word(type)
  if (conditions.length === 0) return fragment`from ${table} as record`
  const all = conditions.map((condition) => conditionSql(type, condition))
  return fragment`from ${table} as record where ${joined(all, ' and ')}`
}

/** A list of what refers to one thing, in order of id, stands ready in the index of references. */
function soleReference({ type, conditions, order }: Search): Fragment | undefined {
  const [condition, another] = conditions
  if (condition?.on !== 'reference' || condition.test.operator !== 'eq' || another !== undefined) return undefined
  const [id, second] = condition.test.values
  if (id === undefined || second !== undefined || !order.every(({ by }) => 'column' in by && by.column === 'id'))
    return undefined
  return fragment`from (select source_id as id from reference where path = ${toTarget(type, condition)}
    and target_id = ${id}) as record`
}

export async function countMatches(snapshot: Snapshot, search: Search): Promise<number> {
  const known = await tallied(snapshot, search)
  if (known !== undefined) return known
  const [counted] = await ask<{ count: number }>(snapshot, fragment`select count(*) as count ${matching(search)}`)
  return Number(counted?.count)
}

/** All ids that match, in order. */
export function idsOfMatches(snapshot: Snapshot, search: Search): Promise<readonly number[]> {
  return idsIn(snapshot, search, word(''))
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
  if (offset <= count / 2) return idsIn(snapshot, search, fragment`limit ${limit} offset ${offset}`)
  // A page beyond the middle is nearer from the end: the same order turned round, and the page turned back.
  const size = Math.min(limit, count - offset)
  const found = await idsIn(snapshot, turned(search), fragment`limit ${size} offset ${count - offset - size}`)
  return found.toReversed()
}

/** A part of all that match, of which nobody asks how many there are. */
export const idsOfSlice = (
  snapshot: Snapshot,
  search: Search,
  { offset, limit }: Pick<Slice, 'offset' | 'limit'>,
): Promise<readonly number[]> => idsIn(snapshot, search, fragment`limit ${limit} offset ${offset}`)

const turned = (search: Search): Search => ({
  ...search,
  order: search.order.map(({ by, direction }) => ({ by, direction: direction === 'asc' ? 'desc' : 'asc' })),
  ties: 'desc',
})

async function idsIn(snapshot: Snapshot, search: Search, slice: Fragment): Promise<readonly number[]> {
  const isSettled = search.order.some(({ by }) => 'column' in by && by.column === 'id')
  const ties = isSettled ? [] : [word(`record.id ${search.ties ?? 'asc'}`)]
  const order = joined([...search.order.map((order) => orderSql(search.type, order)), ...ties], ', ')
  const found = await ask<{ id: number }>(
    snapshot,
    fragment`select record.id as id ${matching(search)} order by ${order} ${slice}`,
  )
  return found.map((row) => row.id)
}

function orderSql(type: RecordTypeName, { by, direction }: Order): Fragment {
  if ('column' in by) return word(`record.${by.column} ${direction}`)
  const key = fragment`select min(coalesce(whole_key, key)) from facet where record_id = record.id
    and path = ${toValue(type, by.facet)}`
  return fragment`coalesce((${key}), '') ${word(direction)}`
}
