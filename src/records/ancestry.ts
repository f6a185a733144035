import type { Snapshot } from '../storage/database.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { Stored } from '../storage/records/stored.ts'

/** The parents of a term or an asset are a list of ids of its own type. */
export const parentsOf = (record: Stored | undefined): readonly number[] =>
  (record?.values.parent as readonly number[] | undefined) ?? []

/** All terms, or all assets, above these, by id, level by level; a circle in the data ends it too. */
export async function ancestorsOf(
  snapshot: Snapshot,
  records: readonly Stored[],
): Promise<ReadonlyMap<number, Stored>> {
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

const unknown = (ids: readonly number[], known: ReadonlyMap<number, Stored>): readonly number[] =>
  [...new Set(ids)].filter((id) => !known.has(id))

/** The term itself and everything above it, nearest first. */
export function lineageOf(term: Stored, known: ReadonlyMap<number, Stored>): readonly number[] {
  const lineage = new Set([term.id])
  for (const id of lineage) for (const parent of parentsOf(known.get(id) ?? term)) lineage.add(parent)
  return [...lineage]
}
