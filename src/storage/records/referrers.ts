import type { Snapshot } from '../database.ts'
import { must } from '../must.ts'
import { ask, type Fragment, fragment, joined } from '../sql/fragment.ts'
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

interface Sought {
  readonly type: string
  readonly id: number
  readonly most: number
}

/** Likewise so many of them. */
export async function firstReferrers(snapshot: Snapshot, { type, id, most }: Sought): Promise<readonly Referrer[]> {
  const found = await firstReferences(snapshot, { type, id, ofEach: most + 1 })
  return byRecord(found.filter((reference) => reference.type !== type || reference.id !== id))
    .sort((a, b) => (a.type === b.type ? a.id - b.id : a.type < b.type ? -1 : 1))
    .slice(0, most)
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
  return (await firstReferences(snapshot, { type, id, ofEach: 1 })).length > 0
}

interface Wanted {
  readonly type: string
  readonly id: number
  /** How many along each path, in the order in which they stand there. */
  readonly ofEach: number
}

/** For a quantity that a log has, its log refers. */
const refersItself = ({ source_type }: PathRow): Fragment =>
  source_type === 'quantity'
    ? fragment`(select log_id from quantity where quantity.id = reference.source_id) is null`
    : fragment`1 = 1`

/** Path by path: so both engines step straight to what is asked for, whatever they know of how common a number is. */
async function firstReferences(snapshot: Snapshot, { type, id, ofEach }: Wanted): Promise<Reference[]> {
  const paths = new Map((await pathsTo(snapshot, type)).map((path) => [path.id, path]))
  if (paths.size === 0) return []
  const along = (path: PathRow) =>
    fragment`select * from (select path, source_id from reference where path = ${path.id} and target_id = ${id}
      and ${refersItself(path)} order by source_id limit ${ofEach}) as first`
  const questions = joined([...paths.values()].map(along), ' union all ')
  const found = await ask<Pick<ReferenceRow, 'path' | 'source_id'>>(snapshot, questions)
  return found.map(({ path, source_id }) => {
    const { source_type, field } = must(paths.get(path))
    return { type: source_type, id: source_id, field }
  })
}
