import { type Caller, requireRight } from '../access/caller.ts'
import type { RecordTypeName } from '../farm/farm.ts'
import { textKey } from '../fields/key.ts'
import { whereaboutsOf } from '../history/location.ts'
import type { Reading } from '../storage/database.ts'
import type { Operator, Order, Search } from '../storage/records/condition.ts'
import { countMatches, idsOfMatches, idsOfPage } from '../storage/records/finding.ts'
import type { QueryEntry } from './asked.ts'
import { conditionOf } from './conditions.ts'
import { type Filter, filtersIn } from './filters.ts'
import type { Keeping } from './keeping.ts'
import { orderBy, type Sorting } from './order.ts'
import { lastPageOf, type Paging } from './paging.ts'
import type { View } from './read.ts'

export interface Query extends Paging {
  readonly type: RecordTypeName
  readonly filters: readonly QueryEntry[]
  readonly sorting: Sorting
}

export interface Page<T> {
  readonly last: number
  readonly shown: T
}

interface Wish<T> {
  readonly query: Query
  readonly view: View<T>
}

/** One page of what matches, shown as the reader wants it. */
export async function find<T>(keeping: Keeping, caller: Caller, { query, view }: Wish<T>): Promise<Page<T>> {
  const search = searchFor(keeping, caller, query)
  const now = keeping.clock()
  return keeping.database.read(async (rows) => {
    const found = await search(rows, now)
    return { last: lastPageOf(found.count, query), shown: await view(rows, found.ids, now) }
  })
}

/** A question that may be asked and makes sense, for any snapshot and time. */
export function searchFor(
  keeping: Keeping,
  caller: Caller,
  query: Query,
): (rows: Reading, now: number) => Promise<Matches> {
  requireRight(caller, 'read-records')
  const type = keeping.farm.records[query.type]
  const filters = filtersIn(type, query.filters)
  const order = orderBy(type, query.sorting)
  return (rows, now) => matches(rows, keeping, { query, filters, order, now })
}

interface Wanted {
  readonly query: Query
  readonly filters: readonly Filter[]
  readonly order: readonly Order[]
  readonly now: number
}

/** How many match in all, and which of them are on the page. */
export interface Matches {
  readonly count: number
  readonly ids: readonly number[]
}

async function matches(rows: Reading, keeping: Keeping, { query, filters, order, now }: Wanted): Promise<Matches> {
  const byShape = filters.filter(({ field, path }) => field.computed && path === 'geometry')
  const conditions = []
  for (const filter of filters) {
    if (!byShape.includes(filter)) conditions.push(await conditionOf({ keeping, rows, type: query.type, now }, filter))
  }
  const search: Search = { type: query.type, conditions, order }
  const slice = { offset: query.page * query.limit, limit: query.limit }
  if (byShape.length > 0) {
    const all = await idsOfShape(rows, { search, filters: byShape, now })
    return { count: all.length, ids: all.slice(slice.offset, slice.offset + slice.limit) }
  }
  const count = await countMatches(rows, search)
  return { count, ids: slice.offset < count ? await idsOfPage(rows, search, { ...slice, count }) : [] }
}

/** A computed geometry is nowhere in a row: every asset that matches otherwise is worked out and compared. */
async function idsOfShape(
  rows: Reading,
  { search, filters, now }: { readonly search: Search; readonly filters: readonly Filter[]; readonly now: number },
): Promise<readonly number[]> {
  const candidates = await idsOfMatches(rows, search)
  const matching: number[] = []
  for (let start = 0; start < candidates.length; start += 500) {
    const slice = candidates.slice(start, start + 500)
    const whereabouts = await whereaboutsOf(rows, slice, now)
    const shapeOf = (id: number) => textKey(whereabouts.get(id)?.geometry ?? '')
    matching.push(...slice.filter((id) => filters.every((filter) => isLike(shapeOf(id), filter))))
  }
  return matching
}

const comparisons: Readonly<Record<Operator, (key: string, asked: string) => boolean>> = {
  eq: (key, asked) => key === asked,
  ne: (key, asked) => key === asked,
  gt: (key, asked) => key > asked,
  ge: (key, asked) => key >= asked,
  lt: (key, asked) => key !== '' && key < asked,
  le: (key, asked) => key !== '' && key <= asked,
  ct: (key, asked) => key.includes(asked),
  sw: (key, asked) => key.startsWith(asked),
}

function isLike(key: string, { operator, values }: Filter): boolean {
  const any = values.some((value) => comparisons[operator](key, textKey(value)))
  return operator === 'ne' ? !any : any
}
