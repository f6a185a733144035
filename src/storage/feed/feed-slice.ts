import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import type { JournalVerb } from '../sql/tables.ts'
import type { FeedPlace, Landmark } from './place.ts'

/** What became of a record, by whom. */
export interface FeedEntry extends Landmark {
  /** The transaction that wrote it; on SQLite nothing is told by it. */
  readonly xid: number
  readonly at: number
  readonly uid: number
  readonly type: RecordTypeName
  readonly id: number
  readonly verb: JournalVerb
  readonly set_id: string | null
  readonly revision: number
}

/** What has become visible in the journal since a reader was there. */
export interface FeedSlice {
  readonly edition: string
  /** A word for the database that numbers the transactions; places of one say nothing in another. */
  readonly cluster: string
  /** As for farm-state.ts. */
  readonly changes: string
  /** Whether the reader's last entry is still there. */
  readonly isKnown: boolean
  /** In the order in which a reader goes on through them. */
  readonly entries: readonly FeedEntry[]
  /** Where a reader is who has taken so many of them. */
  readonly placeAfter: (count: number) => FeedPlace
  readonly hasMore: boolean
}

export interface FeedQuestion {
  /** `newest`: nothing but where it ends. */
  readonly after: FeedPlace | 'newest'
  readonly most: number
}

/** How the entries of a journal are read one after the other, so that none is stepped over that becomes visible later. */
export type JournalFeed = (snapshot: Snapshot, question: FeedQuestion) => Promise<FeedSlice>
