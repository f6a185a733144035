import { trimmedTextKey } from '../fields/key.ts'
import type { Snapshot } from '../storage/database.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import { nameOf } from '../storage/records/stored.ts'
import { compareTexts } from './line.ts'

/** What people know a record by. */
export interface Named {
  readonly id: number
  readonly name: string
}

/** A term, and what it belongs to: a variety to its crop. */
export interface NamedTerm extends Named {
  readonly parent: Named | null
}

export type Terms = ReadonlyMap<number, NamedTerm>

/** These terms with their names and those of their first parents. */
export async function namedTerms(snapshot: Snapshot, ids: Iterable<number>): Promise<Terms> {
  const terms = await recordsByIds(snapshot, 'term', [...new Set(ids)])
  const firstParents = new Map(
    [...terms].flatMap(([id, { values }]) => {
      const [parent] = (values.parent as readonly number[] | undefined) ?? []
      return parent === undefined ? [] : [[id, parent] as const]
    }),
  )
  const parents = await recordsByIds(snapshot, 'term', [...new Set(firstParents.values())])
  return new Map(
    [...terms].map(([id, term]) => {
      const parent = parents.get(firstParents.get(id) ?? 0)
      const above = parent === undefined ? null : { id: parent.id, name: nameOf(parent) ?? '' }
      return [id, { id, name: nameOf(term) ?? '', parent: above }]
    }),
  )
}

/** Those of them that are known, by name. */
export const listedBy = <T extends Named>(known: ReadonlyMap<number, T>, ids: Iterable<number>): readonly T[] =>
  [...ids].flatMap((id) => known.get(id) ?? []).toSorted(byName)

export const byName = (one: Named, other: Named): number =>
  compareTexts([trimmedTextKey(one.name)], [trimmedTextKey(other.name)]) || one.id - other.id
