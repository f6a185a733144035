import type { Snapshot } from '../database.ts'
import { editionInSql, noEdition } from '../edition.ts'
import { ask, fragment } from '../sql/fragment.ts'
import type { FeedEntry, JournalFeed } from './feed-slice.ts'
import { beginning, type FeedPlace, type Landmark } from './place.ts'

interface State {
  readonly edition: string | null
  readonly sequence: number | null
  readonly mark: number | null
  /** The mark of the entry that the reader saw last. */
  readonly found: number | null
}

/** One writer: entries become visible in the order of their numbers. */
export const sqliteFeed: JournalFeed = async (snapshot, { after, most }) => {
  const { last } = after === 'newest' ? beginning : after
  const [state] = await ask<State>(
    snapshot,
    fragment`select ${editionInSql} as edition, newest.sequence, newest.mark, (select mark from journal where sequence = ${last.sequence}) as found
      from (select 1) left join (select sequence, mark from journal order by sequence desc limit 1) as newest on true`,
  )
  const entries = after === 'newest' ? [] : await entriesAfter(snapshot, { sequence: last.sequence, most: most + 1 })
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

const placeAt = ({ sequence, mark }: Landmark): FeedPlace => ({ ...beginning, last: { sequence, mark } })

/** As one text: a thousand rows, column by column, take the driver four times as long. */
async function entriesAfter(snapshot: Snapshot, { sequence, most }: Stretch): Promise<readonly FeedEntry[]> {
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

interface Stretch {
  readonly sequence: number
  readonly most: number
}

type Of<K extends keyof FeedEntry> = FeedEntry[K]
type EntryRow = readonly [
  Of<'sequence'>,
  Of<'mark'>,
  Of<'at'>,
  Of<'uid'>,
  Of<'type'>,
  Of<'id'>,
  Of<'verb'>,
  Of<'set_id'>,
  Of<'revision'>,
]
