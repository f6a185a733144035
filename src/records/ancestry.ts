import { byType } from '../history/each-type.ts'
import type { Snapshot } from '../storage/database.ts'
import type { Thing } from '../storage/history/stay-rows.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'

/** The parents of a term or an asset are a list of ids of its own type. */
const parentsOf = (record: StoredRecord | undefined): readonly number[] =>
  (record?.values.parent as readonly number[] | undefined) ?? []

/** Where the parents of a record are named, and of which type they are: an asset may descend from an area, and an area from an asset. */
export const parentFields = [
  { of: 'asset', field: 'parent', leadsTo: 'asset' },
  { of: 'asset', field: 'parent_area', leadsTo: 'term' },
  { of: 'term', field: 'parent', leadsTo: 'term' },
  { of: 'term', field: 'parent_asset', leadsTo: 'asset' },
] as const

export const parentsOfBothTypes = ({ type, values }: StoredRecord): readonly Thing[] =>
  parentFields.flatMap(({ of, field, leadsTo }) =>
    of === type ? ((values[field] ?? []) as readonly number[]).map((id) => ({ type: leadsTo, id })) : [],
  )

/** Whether it stands above one of its parents. */
export async function isAboveItself(snapshot: Snapshot, record: StoredRecord): Promise<boolean> {
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
