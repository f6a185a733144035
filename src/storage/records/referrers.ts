import type { Snapshot } from '../database.ts'
import { ask, type Fragment, fragment, inSlices, joined, listed, must } from '../sql/fragment.ts'
import type { PathRow, ReferenceRow } from '../sql/tables.ts'
import { pathsTo } from './path.ts'

export interface Referrer {
  readonly type: string
  readonly id: number
  /** Every field in which it does, in the order of their names. */
  readonly fields: readonly string[]
}

const fewReferrers = 6

/** The first few records that refer to this one, without itself. */
export const referrersOf = (snapshot: Snapshot, type: string, id: number): Promise<readonly Referrer[]> =>
  firstReferrers(snapshot, { type, id, most: fewReferrers })

interface ReferrerSearch {
  readonly type: string
  readonly id: number
  readonly most: number
  /** The paths that refer to it, if known, as from `pathsTaken`. */
  readonly paths?: readonly PathRow[]
}

/** The first few of them. */
export async function firstReferrers(
  snapshot: Snapshot,
  { type, id, most, paths }: ReferrerSearch,
): Promise<readonly Referrer[]> {
  const along = paths ?? (await pathsTo(snapshot, type))
  const found = await firstReferences(snapshot, { id, ofEach: most + 1, paths: along })
  return byRecord(found.filter((reference) => reference.type !== type || reference.id !== id))
    .sort((a, b) => (a.type === b.type ? a.id - b.id : a.type < b.type ? -1 : 1))
    .slice(0, most)
}

/** Along which of all paths something refers to these records; those that nothing refers to are missing. */
export async function pathsTaken(
  snapshot: Snapshot,
  type: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PathRow[]>> {
  const paths = new Map((await pathsTo(snapshot, type)).map((path) => [path.id, path]))
  const taken = new Map<number, PathRow[]>()
  if (paths.size === 0) return taken
  const among = listed([...paths.keys()])
  const found = await inSlices(ids, (slice) =>
    ask<Pick<ReferenceRow, 'path' | 'target_id'>>(
      snapshot,
      fragment`select path, target_id from reference where path in (${among}) and target_id in (${listed(slice)})
        group by path, target_id`,
    ),
  )
  for (const { path, target_id } of found)
    taken.set(target_id, [...(taken.get(target_id) ?? []), must(paths.get(path))])
  return taken
}

interface Reference {
  readonly type: string
  readonly id: number
  readonly field: string
}

function byRecord(references: readonly Reference[]): Referrer[] {
  const referrers = new Map<string, { type: string; id: number; fields: string[] }>()
  for (const { type, id, field } of references.toSorted((a, b) => (a.field < b.field ? -1 : 1))) {
    const referrer = referrers.get(`${type} ${id}`)
    if (referrer === undefined) referrers.set(`${type} ${id}`, { type, id, fields: [field] })
    else referrer.fields.push(field)
  }
  return [...referrers.values()]
}

export async function isReferredTo(snapshot: Snapshot, type: string, id: number): Promise<boolean> {
  return (await firstReferences(snapshot, { id, ofEach: 1, paths: await pathsTo(snapshot, type) })).length > 0
}

interface ReferrerQuery {
  readonly id: number
  /** Maximum per path, in index order. */
  readonly ofEach: number
  readonly paths: readonly PathRow[]
}

/** The log refers on behalf of its quantity. */
const refersItself = ({ source_type }: PathRow): Fragment =>
  source_type === 'quantity'
    ? fragment`(select log_id from quantity where quantity.id = reference.source_id) is null`
    : fragment`1 = 1`

/** Path by path: so both engines step straight to what is asked for, whatever they know of how common a number is. */
async function firstReferences(snapshot: Snapshot, { id, ofEach, paths }: ReferrerQuery): Promise<Reference[]> {
  if (paths.length === 0) return []
  const known = new Map(paths.map((path) => [path.id, path]))
  const along = (path: PathRow) =>
    fragment`select * from (select path, source_id from reference where path = ${path.id} and target_id = ${id}
      and ${refersItself(path)} order by source_id limit ${ofEach}) as first`
  const questions = joined(paths.map(along), ' union all ')
  const found = await ask<Pick<ReferenceRow, 'path' | 'source_id'>>(snapshot, questions)
  return found.map(({ path, source_id }) => {
    const { source_type, field } = must(known.get(path))
    return { type: source_type, id: source_id, field }
  })
}
