import { type Caller, requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Field } from '../../fields/field.ts'
import { textKey } from '../../fields/key.ts'
import { computedRules } from '../../history/computed-rules.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/farm-state.ts'
import type { ReadBudget } from '../../storage/read-budget.ts'
import {
  type Condition,
  every,
  type Operator,
  type Order,
  type OrderBy,
  type Search,
} from '../../storage/records/condition.ts'
import { countMatches, idsOfMatches, idsOfPage, idsOfSlice, isTallied } from '../../storage/records/finding.ts'
import { markOf } from '../../storage/records/path.ts'
import { must } from '../../storage/sql/fragment.ts'
import type { Records } from '../records.ts'
import { columnOf, conditionOf } from './conditions.ts'
import type { RecordFilter } from './filter.ts'
import type { PageRequest } from './paging.ts'

interface Query extends PageRequest {
  readonly type: RecordTypeName
  readonly filters: readonly RecordFilter[]
  readonly sorting: RecordSortKey
}

/** A question that may be asked and makes sense, for any snapshot and time. */
export function searchFor(
  installation: Records,
  caller: Caller,
  query: Query,
): (snapshot: Snapshot, time: PointInTime) => Promise<MatchPage> {
  requireRight(caller, 'read-records')
  const order = orderBy(query.type, query.sorting)
  return (snapshot, time) => matches(snapshot, installation, { query, order, time })
}

interface MatchQuery {
  readonly query: Query
  readonly order: readonly Order[]
  readonly time: PointInTime
}

/** The total count, and the ids on the page. */
export interface MatchPage {
  readonly count: number
  readonly ids: readonly number[]
}

async function matches(
  snapshot: Snapshot,
  installation: Records,
  { query, order, time }: MatchQuery,
): Promise<MatchPage> {
  const { filters } = query
  const workedOut = filters.filter(({ field }) => isWorkedOut(field))
  const conditions = []
  for (const filter of filters) {
    if (!workedOut.includes(filter))
      conditions.push(await conditionOf({ installation, snapshot, type: query.type, time }, filter))
  }
  const search: Search = { type: query.type, conditions, order }
  const slice = { offset: query.page * query.limit, limit: query.limit }
  if (workedOut.length > 0) {
    const all = await idsAlike(snapshot, search, { filters: workedOut, time })
    return { count: all.length, ids: all.slice(slice.offset, slice.offset + slice.limit) }
  }
  if (slice.offset === 0 && isTallied(search)) {
    // Asked together, they are answered together: a tally costs less than a journey.
    const asked = [countMatches(snapshot, search), idsOfSlice(snapshot, search, slice)] as const
    const [count, ids] = await Promise.all(asked)
    return { count, ids }
  }
  const count = await countMatches(snapshot, search)
  return { count, ids: slice.offset < count ? await idsOfPage(snapshot, search, { ...slice, count }) : [] }
}

const isWorkedOut = ({ computed }: Field): boolean =>
  computed !== undefined && computedRules[computed].filter?.by === 'working it out'

interface FilterMatch {
  readonly filters: readonly RecordFilter[]
  readonly time: PointInTime
}

const idsAtOnce = 500

/** Values without a row are computed for every candidate record, and compared. */
async function idsAlike(
  snapshot: Snapshot,
  search: Search,
  { filters, time }: FilterMatch,
): Promise<readonly number[]> {
  let alike = await idsOfMatches(snapshot, search)
  for (const filter of filters) {
    const { workOut, valueFrom } = computedRules[must(filter.field.computed)]
    const matching: number[] = []
    for (let start = 0; start < alike.length; start += idsAtOnce) {
      const slice = alike.slice(start, start + idsAtOnce)
      const worked = await workOut(snapshot, slice, time)
      matching.push(...slice.filter((id) => isLike(textKey(String(valueFrom(worked.get(id)))), filter)))
    }
    alike = matching
  }
  return alike
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

function isLike(key: string, { operator, values }: RecordFilter): boolean {
  const any = values.some((one) => comparisons[operator](key, one.is === 'value' ? textKey(String(one.value)) : ''))
  return operator === 'ne' ? !any : any
}

/** The sort field; undefined keeps the default order. */
export interface RecordSortKey {
  readonly path: string | undefined
  readonly direction: 'asc' | 'desc'
  /** Only whether it has this word counts, which stands last. */
  readonly yes?: string
  /** Some records have the field where who asks is not shown it: those count as without it. */
  readonly partlyHidden?: true
}

/** Without a wish by id, terms by weight first. */
function orderBy(type: RecordTypeName, { path, direction, yes, partlyHidden }: RecordSortKey): readonly Order[] {
  if (path === undefined) {
    const byId: Order = { by: { column: 'id' }, direction }
    return type === 'term' ? [{ by: { column: 'weight' }, direction }, byId] : [byId]
  }
  const column = columnOf(type, path)
  if (column === 'status' && yes !== undefined) return [{ by: { isStatus: yes }, direction }]
  if (column !== undefined) return [{ by: { column }, direction }]
  return [{ by: partlyHidden ? unlessMarked(path) : { facet: path }, direction }]
}

function unlessMarked(facet: string): OrderBy {
  const marked: Condition = { on: 'not', condition: { on: 'no-facet', field: markOf(facet) } }
  return {
    cases: [
      { when: marked, by: { key: '' } },
      { when: every, by: { facet } },
    ],
  }
}

/** Renders the records with these ids, at that time, on one snapshot. */
type View<T> = (snapshot: Snapshot, ids: readonly number[], time: PointInTime) => Promise<T>

interface RecordView<T> {
  readonly id: (snapshot: Snapshot) => Promise<number>
  readonly time: PointInTime
  readonly budget: ReadBudget
  readonly view: View<T>
}

/** One record, shown as the reader wants it. */
export async function read<T>(
  installation: Records,
  caller: Caller,
  { id, time, budget, view }: RecordView<T>,
): Promise<T> {
  requireRight(caller, 'read-records')
  return installation.database.read(async (snapshot) => view(snapshot, [await id(snapshot)], time), budget)
}
