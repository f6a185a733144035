import { changeSetsWith, type KeptSet } from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'

type Link = Pick<KeptSet, 'id' | 'undone_by'>

/**
 * Which of these sets are undone, and by which. A set is in effect unless one that is in effect has undone it: what was undone
 * and done again is in effect.
 */
export async function undoneBy(snapshot: Snapshot, sets: readonly Link[]): Promise<ReadonlyMap<string, string>> {
  const next = new Map(sets.map(({ id, undone_by }) => [id, undone_by]))
  for (let unknown = ahead(next); unknown.length > 0; unknown = ahead(next)) {
    const found = await changeSetsWith(snapshot, unknown)
    for (const id of unknown) next.set(id, found.get(id)?.undone_by ?? null)
  }
  return new Map(
    sets.flatMap(({ id, undone_by }) => (undone_by !== null && !isInEffect(id, next) ? [[id, undone_by]] : [])),
  )
}

/** By which set each has been undone. */
type Chain = ReadonlyMap<string, string | null>

const ahead = (next: Chain): readonly string[] => [
  ...new Set([...next.values()].filter((id): id is string => id !== null && !next.has(id))),
]

/** The last of a chain is in effect, the one before it is not, and so on. */
function isInEffect(id: string, next: Chain): boolean {
  let steps = 0
  for (let at = next.get(id); at !== null && at !== undefined; at = next.get(at)) steps += 1
  return steps % 2 === 0
}
