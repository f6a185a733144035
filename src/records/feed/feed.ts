import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../../storage/database.ts'
import { requireEdition } from '../../storage/edition.ts'
import type { FarmState } from '../../storage/farm-state.ts'
import type { FeedEntry } from '../../storage/feed/feed-place.ts'
import { readJournalFeed } from '../../storage/feed/journal-feed.ts'
import { type RecordNow, recordsNow } from '../../storage/feed/records-now.ts'
import { must } from '../../storage/must.ts'
import type { Records } from '../records.ts'
import { type Cursor, CursorIsGone, cursorText, originOf } from './cursor.ts'

export interface FeedRequest {
  /** `newest`: nothing but where the feed ends. */
  readonly since: Cursor | 'newest'
  /** Undefined: of every type. */
  readonly type: RecordTypeName | undefined
  readonly limit: number
}

/** An entry of the journal, and what its record is now: the same value for all entries of a record. */
export interface FeedStep {
  readonly entry: FeedEntry
  readonly now: RecordNow
}

/** What has happened since the cursor, step by step, as far as one answer goes. */
export interface Feed {
  readonly state: FarmState
  readonly steps: readonly FeedStep[]
  /** The cursor of a reader who has taken so many steps. */
  readonly cursorAfter: (steps: number) => string
  readonly hasMore: boolean
}

/** Where only some entries are wanted, so many are looked at. */
const mostLookedAt = 5_000

export async function readFeed(
  snapshot: Snapshot,
  installation: Records,
  { since, type, limit }: FeedRequest,
): Promise<Feed> {
  const slice = await readJournalFeed(snapshot, {
    after: since === 'newest' ? since : since.place,
    most: type === undefined ? limit : mostLookedAt,
  })
  requireEdition(installation, slice.edition)
  const origin = originOf(slice)
  if (since !== 'newest' && since.origin !== null && (since.origin !== origin || !slice.isKnown))
    throw new CursorIsGone()
  const wanted = slice.entries.flatMap((entry, index) =>
    type === undefined || entry.type === type ? [{ entry, count: index + 1 }] : [],
  )
  const taken = wanted.slice(0, limit)
  const hasAll = taken.length === wanted.length
  const places = [0, ...taken.map(({ count }) => count)]
  if (hasAll) places[taken.length] = slice.entries.length
  const now = await nowOf(snapshot, taken)
  return {
    state: { edition: slice.edition, changes: slice.changes },
    steps: taken.map(({ entry }) => ({ entry, now: must(now.get(entry.type)?.get(entry.id)) })),
    cursorAfter: (steps) => cursorText(origin, slice.placeAfter(must(places[steps]))),
    hasMore: slice.hasMore || !hasAll,
  }
}

/** What the records of these entries are now, by type and id: one value for each record. */
async function nowOf(
  snapshot: Snapshot,
  taken: readonly { readonly entry: FeedEntry }[],
): Promise<ReadonlyMap<RecordTypeName, ReadonlyMap<number, RecordNow>>> {
  const ids = new Map<RecordTypeName, Set<number>>()
  for (const { entry } of taken) {
    const known = ids.get(entry.type)
    if (known === undefined) ids.set(entry.type, new Set([entry.id]))
    else known.add(entry.id)
  }
  const now = new Map<RecordTypeName, ReadonlyMap<number, RecordNow>>()
  for (const [type, numbers] of ids) now.set(type, await recordsNow(snapshot, type, [...numbers]))
  return now
}
