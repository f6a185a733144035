import type { RecordTypeName } from '../farm/farm.ts'
import { membership } from '../farm/parts/log-effects.ts'
import { assetsOf, byType, insideItself, isDone, membershipOf, momentOf } from '../history/implications.ts'
import { currentGroups } from '../history/membership.ts'
import type { Snapshot, Transaction } from '../storage/database.ts'
import { inThePast } from '../storage/farm-state.ts'
import type { PlacedThing } from '../storage/history/stay-rows.ts'
import { bundlesOfLocked, recordsByIds } from '../storage/records/record-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { holdAlone } from '../storage/sql/advisory-locks.ts'
import type { RecordDraft } from './writing/draft.ts'

/** The parents of a term or an asset are a list of ids of its own type. */
const parentsOf = (record: StoredRecord | undefined): readonly number[] =>
  (record?.values.parent as readonly number[] | undefined) ?? []

/** Parent fields and the types of their targets: an asset may descend from an area, and an area from an asset. */
const parentFields = [
  { of: 'asset', field: 'parent', leadsTo: 'asset' },
  { of: 'asset', field: 'parent_area', leadsTo: 'term' },
  { of: 'term', field: 'parent', leadsTo: 'term' },
  { of: 'term', field: 'parent_asset', leadsTo: 'asset' },
] as const

const parentsOfBothTypes = ({ type, values }: StoredRecord): readonly PlacedThing[] =>
  parentFields.flatMap(({ of, field, leadsTo }) =>
    of === type ? ((values[field] ?? []) as readonly number[]).map((id) => ({ type: leadsTo, id })) : [],
  )

/** True if it is an ancestor of one of its parents. */
async function isAboveItself(snapshot: Snapshot, record: StoredRecord): Promise<boolean> {
  const nameOf = ({ type, id }: Pick<StoredRecord, 'type' | 'id'>) => `${type} ${id}`
  const seen = new Set<string>()
  for (let level = parentsOfBothTypes(record); level.length > 0; ) {
    for (const thing of level) seen.add(nameOf(thing))
    if (seen.has(nameOf(record))) return true
    const above: StoredRecord[] = []
    for (const { type, ids } of byType(level)) above.push(...(await recordsByIds(snapshot, type, ids)).values())
    level = above.flatMap(parentsOfBothTypes).filter((thing) => !seen.has(nameOf(thing)))
  }
  return false
}

/** All terms, or all assets, above these, by id, level by level; a circle in the data ends it too. */
export async function ancestorsOf(
  snapshot: Snapshot,
  records: readonly StoredRecord[],
): Promise<ReadonlyMap<number, StoredRecord>> {
  const known = new Map(records.map((record) => [record.id, record]))
  const [first] = records
  let level = unknown(records.flatMap(parentsOf), known)
  while (first !== undefined && level.length > 0) {
    const above = await recordsByIds(snapshot, first.type, level)
    for (const [id, record] of above) known.set(id, record)
    level = unknown([...above.values()].flatMap(parentsOf), known)
  }
  return known
}

const unknown = (ids: readonly number[], known: ReadonlyMap<number, StoredRecord>): readonly number[] =>
  [...new Set(ids)].filter((id) => !known.has(id))

/** The term itself and everything above it, nearest first. */
export function lineageOf(term: StoredRecord, known: ReadonlyMap<number, StoredRecord>): readonly number[] {
  const lineage = new Set([term.id])
  for (const id of lineage) for (const parent of parentsOf(known.get(id) ?? term)) lineage.add(parent)
  return [...lineage]
}

/** A term cannot stand above itself, nor can an asset descend from itself. What is written back as it was is not judged. */
export async function refuseOwnAncestor(
  tx: Transaction,
  draft: RecordDraft,
  { before, after }: { readonly before: StoredRecord; readonly after: StoredRecord },
): Promise<void> {
  const said = ({ values }: StoredRecord, field: string) => JSON.stringify(values[field] ?? [])
  const given = parentFields.find(
    ({ of, field }) => of === after.type && draft.given.has(field) && said(before, field) !== said(after, field),
  )
  if (given !== undefined && (await isOwnAncestor(tx, after))) draft.placeOf(given.field).fault(aboveItself(after.type))
}

export const aboveItself = (type: RecordTypeName): string =>
  type === 'term' ? 'would put the term below itself' : 'would make the asset its own ancestor'

export async function isOwnAncestor(tx: Transaction, record: StoredRecord): Promise<boolean> {
  if (parentsOfBothTypes(record).length === 0) return false
  // Two records that are put below each other at the same time would each find nothing wrong.
  await holdAlone(tx, 'ancestry')
  return isAboveItself(tx, record)
}

/**
 * A group cannot be a member of itself, also over other groups, from the time of the log on. Asked once the log is kept, so that
 * what it says counts, and what it said before does not.
 */
export async function refuseOwnMember(tx: Transaction, log: StoredRecord): Promise<void> {
  if (log.type !== 'log' || !isDone(log.values)) return
  const joined = membershipOf(log.values) ?? []
  if (joined.length === 0) return
  const joining = new Set(await groupsAmong(tx, assetsOf(log.values)))
  if (joining.size === 0) return
  await holdAlone(tx, 'ancestry')
  const seen = new Set<number>()
  let level = joined
  while (level.length > 0) {
    for (const group of level) {
      if (joining.has(group))
        throw insideItself('membership', { type: 'asset', id: group }, { type: 'asset', id: group })
      seen.add(group)
    }
    const above = await currentGroups(tx, level, inThePast(momentOf(log.values)))
    level = [...new Set([...above.values()].flat())].filter((group) => !seen.has(group))
  }
}

async function groupsAmong(tx: Transaction, assets: readonly number[]): Promise<readonly number[]> {
  const { within } = membership.fields.group
  const bundles = await bundlesOfLocked(tx, 'asset', assets)
  return [...bundles].flatMap(([id, bundle]) => (within?.includes(bundle) ? [id] : []))
}
