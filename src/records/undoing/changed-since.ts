import { isDeepStrictEqual } from 'node:util'
import type { Snapshot } from '../../storage/database.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { type JournalEntry, revisionsAfter } from '../../storage/journal.ts'
import { undoneBy } from '../past/in-effect.ts'
import { setsNamed } from '../past/sets.ts'
import type { SetRecord } from './set-records.ts'

/** A change that came after a set and is in effect. */
export interface LaterChange {
  readonly set: string | null
  readonly uid: number
  readonly at: number
  readonly verb: JournalEntry['verb']
}

/**
 * The last change of a record since the set that is in effect. A change that was undone is not, and neither is what undid it: the two
 * together have changed nothing.
 */
export async function changeSince(
  snapshot: Snapshot,
  record: SetRecord,
  current: StoredRecord | undefined,
): Promise<LaterChange | undefined> {
  const later = await revisionsAfter(snapshot, record, record.revision)
  const last = later.at(-1)
  if (last === undefined) return undefined
  const sets = await setsNamed(
    snapshot,
    later.flatMap(({ set_id }) => set_id ?? []),
  )
  const undone = await undoneBy(snapshot, [...sets.values()])
  const isCancelled = ({ set_id }: JournalEntry) => {
    if (set_id === null) return false
    return undone.has(set_id) || sets.has(sets.get(set_id)?.undoes ?? '')
  }
  const standing = later.findLast((entry) => !isCancelled(entry))
  // An undoing may have left this record as it was: then it is what was not taken back here that is in the way.
  const isNotTakenBack = ({ set_id }: JournalEntry) => set_id !== null && !sets.has(undone.get(set_id) ?? set_id)
  const found = standing ?? (isAsLeft(record, current) ? undefined : (later.findLast(isNotTakenBack) ?? last))
  return found && { set: found.set_id, uid: found.uid, at: found.at, verb: found.verb }
}

const isAsLeft = ({ after }: SetRecord, current: StoredRecord | undefined): boolean =>
  isDeepStrictEqual(after?.values, current?.values)
