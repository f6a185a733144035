import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../../storage/database.ts'
import { entriesOfSet, type JournalEntry, lastToldBefore, toldBy, uuidOfRemoved } from '../../storage/journal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'

/** A record that a set has touched. */
export interface SetRecord {
  readonly type: RecordTypeName
  readonly id: number
  readonly uuid: string | null
  /** The revision that the set left behind. */
  readonly revision: number
  /** Before the set; null if it did not exist. */
  readonly before: StoredRecord | null
  /** After the set; null if it no longer existed. */
  readonly after: StoredRecord | null
  /** True if it was deleted for good. */
  readonly isEnded: boolean
}

export const keyOf = ({ type, id }: Pick<SetRecord, 'type' | 'id'>): string => `${type} ${id}`

/** The state with the name that people know. */
export const knownAs = ({ before, after }: SetRecord): StoredRecord | null => after ?? before

/** The first and the last of what a set did to a record. */
interface Span {
  readonly first: JournalEntry
  readonly last: JournalEntry
}

const entriesAtOnce = 500

/** The records that a set has touched, in the order in which it first did; undefined where they are more than so many. */
export async function recordsOfSet(
  snapshot: Snapshot,
  set: string,
  most: number,
): Promise<readonly SetRecord[] | undefined> {
  const spans = new Map<string, Span>()
  for (let after = 0; ; ) {
    const entries = await entriesOfSet(snapshot, { set, after, most: entriesAtOnce })
    for (const entry of entries) {
      const key = keyOf({ type: entry.record_type, id: entry.record_id })
      spans.set(key, { first: spans.get(key)?.first ?? entry, last: entry })
    }
    if (spans.size > most) return undefined
    const last = entries.at(-1)
    if (last === undefined || entries.length < entriesAtOnce) break
    after = last.sequence
  }
  const records: SetRecord[] = []
  for (const span of spans.values()) records.push(await recordOf(snapshot, span))
  return records
}

async function recordOf(snapshot: Snapshot, { first, last }: Span): Promise<SetRecord> {
  const { record_type: type, record_id: id, revision } = last
  const wasThere = first.verb === 'update' || first.verb === 'remove'
  const before = wasThere ? ((await lastToldBefore(snapshot, { type, id }, first.revision)) ?? null) : null
  const after = toldBy(last)
  const isEnded = (wasThere && before === null) || (last.verb !== 'remove' && after === null)
  const uuid = (after ?? before)?.uuid ?? (await uuidOfRemoved(snapshot, { type, id })) ?? null
  return { type, id, uuid, revision, before, after, isEnded }
}
