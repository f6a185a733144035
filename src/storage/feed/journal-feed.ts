import type { Engine, Snapshot } from '../database.ts'
import { editionInSql, noEdition } from '../farm-state.ts'
import { ask, type Fragment, fragment } from '../sql/fragment.ts'
import { clusterInSql } from './cluster.ts'
import {
  beginning,
  type FeedEntry,
  type FeedPlace,
  type JournalFeed,
  type Landmark,
  type VisibleTransactions,
} from './feed-place.ts'

/** One writer: entries become visible in the order of their numbers. */
const sqliteFeed: JournalFeed = async (snapshot, { after, most }) => {
  const { last } = after === 'newest' ? beginning : after
  const [state] = await ask<SqlitePosition>(
    snapshot,
    fragment`select ${editionInSql} as edition, newest.sequence, newest.mark, (select mark from journal where sequence = ${last.sequence}) as found
      from (select 1) left join (select sequence, mark from journal order by sequence desc limit 1) as newest on true`,
  )
  const entries =
    after === 'newest' ? [] : await sqliteEntriesAfter(snapshot, { sequence: last.sequence, most: most + 1 })
  const shown = entries.slice(0, most)
  const hasMore = entries.length > most
  const newest = placeAt({ sequence: state?.sequence ?? 0, mark: state?.mark ?? 0 })
  return {
    edition: state?.edition ?? noEdition,
    cluster: '',
    changes: String(state?.sequence ?? 0),
    isKnown: last.sequence === 0 || state?.found === last.mark,
    entries: shown,
    placeAfter: (count) => {
      const entry = shown[count - 1]
      if (count === shown.length && !hasMore) return newest
      return placeAt(entry ?? last)
    },
    hasMore,
  }
}

/**
 * Writers overtake one another, so that neither the numbers of entries nor those of transactions tell in which order they become
 * visible. A reader who has come to the end notes which transactions were open below the newest entry: it has seen what is below and
 * was not open. What is visible now and was not then comes next, by transaction and number. Where that is more than one answer holds,
 * the reader goes on within it, up to what was visible when it began.
 *
 * Nothing above the newest entry is noted as seen: when a database is put back to an earlier state, its transactions have those numbers again.
 */
const postgresFeed: JournalFeed = async (snapshot, { after, most }) => {
  const place = after === 'newest' ? beginning : after
  // Asked together, they are answered together, and by one snapshot.
  const [state, entries] = await Promise.all([
    readState(snapshot, place.last.sequence),
    after === 'newest' ? [] : postgresEntriesAfter(snapshot, place, most + 1),
  ])
  const shown = entries.slice(0, most)
  const isCut = entries.length > most
  const visible = seenBy(state)
  const upTo = place.within?.upTo ?? visible
  const end = endOf({ place, upTo, state, entry: shown.at(-1) })
  // Meanwhile others may have become visible beyond.
  const mayHaveMore = place.within !== null && (upTo.open.length > 0 || visible.below > upTo.below)
  return {
    edition: state.edition ?? noEdition,
    cluster: state.cluster ?? '',
    changes: state.snapshot,
    isKnown: place.last.sequence === 0 || state.found === place.last.mark,
    entries: shown,
    placeAfter: (count) => {
      if (count === shown.length && !isCut) return end
      const entry = shown[count - 1]
      if (entry === undefined) return place
      return { ...place, last: landmarkOf(entry), within: { upTo, xid: entry.xid } }
    },
    hasMore: isCut || mayHaveMore,
  }
}

const feeds: Readonly<Record<Engine, JournalFeed>> = { sqlite: sqliteFeed, postgres: postgresFeed }

export const readJournalFeed: JournalFeed = (snapshot, question) => feeds[snapshot.engine](snapshot, question)

interface SqlitePosition {
  readonly edition: string | null
  readonly sequence: number | null
  readonly mark: number | null
  /** The mark of the entry that the reader saw last. */
  readonly found: number | null
}

const placeAt = ({ sequence, mark }: Landmark): FeedPlace => ({ ...beginning, last: { sequence, mark } })

/** As one text: a thousand rows, column by column, take the driver four times as long. */
async function sqliteEntriesAfter(
  snapshot: Snapshot,
  { sequence, most }: SequenceRange,
): Promise<readonly FeedEntry[]> {
  const [found] = await ask<{ readonly entries: string }>(
    snapshot,
    fragment`select json_group_array(json_array(sequence, mark, at, uid, record_type, record_id, verb, set_id, revision)) as entries
      from (select * from journal where sequence > ${sequence} order by sequence limit ${most})`,
  )
  const rows: readonly EntryRow[] = JSON.parse(found?.entries ?? '[]')
  return rows
    .map(([sequence, mark, at, uid, type, id, verb, set_id, revision]) => ({
      sequence,
      mark,
      xid: 0,
      at,
      uid,
      type,
      id,
      verb,
      set_id,
      revision,
    }))
    .sort((one, other) => one.sequence - other.sequence)
}

interface SequenceRange {
  readonly sequence: number
  readonly most: number
}

type EntryMember<K extends keyof FeedEntry> = FeedEntry[K]

type EntryRow = readonly [
  EntryMember<'sequence'>,
  EntryMember<'mark'>,
  EntryMember<'at'>,
  EntryMember<'uid'>,
  EntryMember<'type'>,
  EntryMember<'id'>,
  EntryMember<'verb'>,
  EntryMember<'set_id'>,
  EntryMember<'revision'>,
]

interface PostgresPosition {
  readonly edition: string | null
  readonly cluster: string | null
  readonly snapshot: string
  readonly xid: number | null
  readonly sequence: number | null
  readonly mark: number | null
  /** The mark of the entry that the reader saw last. */
  readonly found: number | null
}

interface PageEnd {
  readonly place: FeedPlace
  readonly upTo: VisibleTransactions
  readonly state: PostgresPosition
  readonly entry: FeedEntry | undefined
}

/** The position at the end of what was visible. */
function endOf({ place, upTo, state, entry }: PageEnd): FeedPlace {
  const newest = { sequence: state.sequence ?? 0, mark: state.mark ?? 0 }
  const last = place.within === null ? newest : entry === undefined ? place.last : landmarkOf(entry)
  return { last, seen: upTo, within: null }
}

const landmarkOf = ({ sequence, mark }: FeedEntry) => ({ sequence, mark })

/** All that the snapshot sees of the journal. */
function seenBy({ snapshot, xid }: PostgresPosition): VisibleTransactions {
  if (xid === null) return beginning.seen
  const [, , open = ''] = snapshot.split(':')
  const numbers = open === '' ? [] : open.split(',').map(Number)
  return { below: xid + 1, open: numbers.filter((one) => one < xid) }
}

async function readState(snapshot: Snapshot, last: number): Promise<PostgresPosition> {
  const [state] = await ask<PostgresPosition>(
    snapshot,
    fragment`select ${editionInSql} as edition, ${clusterInSql} as cluster, pg_current_snapshot()::text as snapshot,
        newest.xid, newest.sequence, newest.mark, (select mark from journal where sequence = ${last}) as found
      from (select 1) as here left join (select xid, sequence, mark from journal order by xid desc, sequence desc limit 1) as newest on true`,
  )
  return state ?? { edition: null, cluster: null, snapshot: '', xid: null, sequence: null, mark: null, found: null }
}

const columns = fragment`sequence, mark, xid, at, uid, record_type as type, record_id as id, verb, set_id, revision`

/** No transaction has a number as high. */
const everyTransaction: VisibleTransactions = { below: Number.MAX_SAFE_INTEGER, open: [] }

/** Entries of formerly open and of later transactions: both by index, however long one stays open. */
function postgresEntriesAfter(snapshot: Snapshot, place: FeedPlace, most: number): Promise<readonly FeedEntry[]> {
  const { seen, within, last } = place
  const upTo = within?.upTo ?? everyTransaction
  const taken = within === null ? fragment`true` : fragment`(xid, sequence) > (${within.xid}, ${last.sequence})`
  const isVisible = fragment`xid < ${upTo.below} and xid <> all (${listOf(upTo.open)}::bigint[])`
  const part = (those: Fragment) =>
    fragment`(select ${columns} from journal where ${those} and ${taken} and ${isVisible} order by xid, sequence limit ${most})`
  const wereOpen = fragment`xid = any (${listOf(seen.open)}::bigint[])`
  return ask<FeedEntry>(
    snapshot,
    fragment`select * from (${part(wereOpen)} union all ${part(fragment`xid >= ${seen.below}`)}) as entries
      order by xid, sequence limit ${most}`,
  )
}

const listOf = (numbers: readonly number[]): string => `{${numbers.join()}}`
