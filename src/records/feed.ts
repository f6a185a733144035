import { createHash } from 'node:crypto'
import type { RecordTypeName } from '../farm/farm.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { type FarmState, requireEdition } from '../storage/farm-state.ts'
import {
  beginning,
  type FeedEntry,
  type FeedPlace,
  type FeedSlice,
  placeIn,
  placeText,
} from '../storage/feed/feed-place.ts'
import { readJournalFeed } from '../storage/feed/journal-feed.ts'
import { type RecordNow, recordsNow } from '../storage/feed/records-now.ts'
import { must } from '../storage/sql/fragment.ts'
import { badQuery } from './finding/filter.ts'
import type { Records } from './records.ts'

export interface FeedRequest {
  /** `newest`: nothing but where the feed ends. */
  readonly since: Cursor | 'newest'
  /** Undefined: of every type. */
  readonly type: RecordTypeName | undefined
  readonly limit: number
}

/** An entry of the journal, and what its record is now: the same value for all entries of a record. */
interface FeedStep {
  readonly entry: FeedEntry
  readonly now: RecordNow
}

/** The steps since a cursor, for one answer. */
export interface FeedReader {
  readonly state: FarmState
  readonly steps: readonly FeedStep[]
  /** The cursor of a reader who has taken so many steps. */
  readonly cursorAfter: (steps: number) => string
  readonly hasMore: boolean
}

/** Entries scanned if only some are wanted. */
const mostLookedAt = 5_000

export async function readFeed(
  snapshot: Snapshot,
  installation: Records,
  { since, type, limit }: FeedRequest,
): Promise<FeedReader> {
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

/** The current state of these entries' records, by type and id: one value per record. */
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

/** The change of one record. */
export interface FeedChange extends FeedStep {
  readonly verb: 'create' | 'update' | 'remove'
}

/** The same, and which step is the first that is about it. */
interface ChangeOnPage extends FeedChange {
  readonly firstStep: number
}

const begins = ({ verb }: FeedEntry): boolean => verb === 'create' || verb === 'restore'

const verbOf = ({ isThere }: RecordNow, isNew: boolean): FeedChange['verb'] =>
  !isThere ? 'remove' : isNew ? 'create' : 'update'

/** Each record once, in the order in which they are first met, with its last step of these. */
export function changesIn(steps: readonly FeedStep[]): readonly ChangeOnPage[] {
  const changes = new Map<RecordNow, ChangeOnPage>()
  for (const [index, { entry, now }] of steps.entries()) {
    const known = changes.get(now)
    const verb = verbOf(now, begins(entry) || known?.verb === 'create')
    changes.set(now, { entry, now, verb, firstStep: known?.firstStep ?? index })
  }
  return [...changes.values()]
}

/**
 * The events for a listener: each state of a record is reported once, at the step that led to it. A record created at a
 * step without an event is new to the listener later; `untold` remembers that between reads.
 */
export function tellingsIn(steps: readonly FeedStep[], untold: Set<string>): readonly (FeedChange | null)[] {
  return steps.map(({ entry, now }) => {
    const key = `${entry.type} ${entry.id}`
    if (begins(entry)) untold.add(key)
    if (entry.revision !== now.revision) return null
    return { entry, now, verb: verbOf(now, untold.delete(key)) }
  })
}

/** A cursor of the feed: a position in the journal of one farm. */
interface Cursor {
  /** Null at the beginning, which every farm has. */
  readonly origin: string | null
  readonly place: FeedPlace
}

/** Everything that ever happened comes after it. */
const fromTheBeginning = '0'

/** A word for the farm, and for the database that its places are counted in. */
const originOf = ({ edition, cluster }: Pick<FeedSlice, 'edition' | 'cluster'>): string =>
  createHash('sha256').update(`${edition} ${cluster}`).digest('base64url').slice(0, 8)

const cursorText = (origin: string, place: FeedPlace): string => `${origin}.${placeText(place)}`

export function cursorIn(text: string): Cursor {
  if (text === fromTheBeginning) return { origin: null, place: beginning }
  const [, origin, placed = ''] = /^([\w-]{8})\.(.+)$/.exec(text) ?? []
  const place = placeIn(placed)
  if (origin === undefined || place === undefined)
    throw badQuery('since', 'takes 0, or what a former answer has as next, letter by letter')
  return { origin, place }
}

/** The farm is another than the one that the cursor is of, or has been put back to an earlier state. */
class CursorIsGone extends Refusal {
  constructor() {
    super(
      'gone',
      'This cursor belongs to another state of this farm: it was restored, put back or moved since. ' +
        'Ask for a new cursor (/changes without since), then load everything again; what you have not sent yet, keep and send as before.',
    )
  }
}
