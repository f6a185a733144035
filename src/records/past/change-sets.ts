import type { TrashView } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import {
  changeSetsWith,
  changeSetWith,
  countsOfSets,
  type KeptSet,
  latestSets,
  type SetSelection,
} from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'
import { recordsNow } from '../../storage/feed/records-now.ts'
import { entriesOfSet, type JournalEntry, lastToldBefore, toldBy, uuidOfRemoved } from '../../storage/journal.ts'
import { nameOf } from '../../storage/records/stored.ts'
import type { JournalVerb } from '../../storage/sql/tables.ts'
import { badQuery } from '../finding/filter.ts'
import { type ChangeAuthor, peopleBehind } from './revisions.ts'

/** Counts of created, changed, removed and restored records by type. */
export type SetCounts = Readonly<Partial<Record<RecordTypeName, Readonly<Partial<Record<JournalVerb, number>>>>>>

/** The changes of one request. */
export interface SetView extends Pick<KeptSet, 'id' | 'at' | 'client' | 'request' | 'undoes'> {
  readonly who: ChangeAuthor
  /** The set that has taken it back, unless that was taken back in turn. */
  readonly undone_by: string | null
  readonly counts: SetCounts
}

interface SetListQuery extends Omit<SetSelection, 'after' | 'most'> {
  /** The id of a set; only those before it. */
  readonly before?: string
  readonly limit: number
}

interface SetList {
  readonly sets: readonly SetView[]
  /** The set before which there are more; null where there are none. */
  readonly next: string | null
}

/** Sets, newest first. */
export async function setsAmong(snapshot: Snapshot, { before, limit, ...asked }: SetListQuery): Promise<SetList> {
  const after = before === undefined ? undefined : await changeSetWith(snapshot, before)
  if (before !== undefined && after === undefined) throw badQuery('before', 'is not the id of a set; take it from next')
  const selection = { ...asked, most: limit + 1 }
  const found = await latestSets(snapshot, after === undefined ? selection : { ...selection, after })
  const shown = found.slice(0, limit)
  return { sets: await viewsOf(snapshot, shown), next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

async function viewsOf(snapshot: Snapshot, sets: readonly KeptSet[]): Promise<readonly SetView[]> {
  const counts = new Map<string, Record<string, Record<string, number>>>()
  for (const { set_id, record_type, verb, count } of await countsOfSets(
    snapshot,
    sets.map(({ id }) => id),
  )) {
    const ofSet = counts.get(set_id ?? '') ?? {}
    ofSet[record_type] = { ...ofSet[record_type], [verb]: Number(count) }
    counts.set(set_id ?? '', ofSet)
  }
  const who = await peopleBehind(snapshot, sets)
  const undone = await undoneBy(snapshot, sets)
  return sets.map(({ id, at, uid, client, request, undoes }) => ({
    id,
    at,
    who: who(uid),
    client,
    request,
    undoes,
    undone_by: undone.get(id) ?? null,
    counts: counts.get(id) ?? {},
  }))
}

/** One change of a set. */
interface SetEntry {
  readonly type: RecordTypeName
  readonly id: number
  readonly verb: JournalVerb
  readonly revision: number
  /** Null of a record that is ended for good, or withheld. */
  readonly name: string | null
  readonly uuid: string | null
}

interface SetQuery {
  readonly id: string
  /** Only entries behind this one. */
  readonly after: number
  readonly limit: number
  readonly trash: TrashView
}

export interface SetWithEntries extends SetView {
  readonly entries: readonly SetEntry[]
  /** The number behind which there are more; null where there are none. */
  readonly next: number | null
}

/** One set with its changes, in the order in which they were made. */
export async function setWithEntries(
  snapshot: Snapshot,
  { id, after, limit, trash }: SetQuery,
): Promise<SetWithEntries> {
  const [view] = await viewsOf(snapshot, [await existingSet(snapshot, id)])
  if (view === undefined) throw noSuchSet(id)
  const entries = await entriesOfSet(snapshot, { set: id, after, most: limit + 1 })
  const shown = entries.slice(0, limit)
  const told: SetEntry[] = []
  const removed = trash === 'withheld' ? await removedIn(snapshot, shown) : new Set()
  for (const entry of shown) {
    const view = await entryView(snapshot, entry)
    told.push(removed.has(entry) ? { ...view, name: null } : view)
  }
  const next = entries.length > limit ? (shown.at(-1)?.sequence ?? null) : null
  return { ...view, entries: told, next }
}

/** The entries whose records are not there any more. */
async function removedIn(snapshot: Snapshot, entries: readonly JournalEntry[]): Promise<ReadonlySet<JournalEntry>> {
  const removed = new Set<JournalEntry>()
  for (const type of new Set(entries.map(({ record_type }) => record_type))) {
    const those = entries.filter(({ record_type }) => record_type === type)
    const ids = those.map(({ record_id }) => record_id)
    const now = await recordsNow(snapshot, type, ids)
    for (const entry of those) if (now.get(entry.record_id)?.isThere !== true) removed.add(entry)
  }
  return removed
}

async function entryView(snapshot: Snapshot, entry: JournalEntry): Promise<SetEntry> {
  const { record_type: type, record_id: id, verb, revision } = entry
  const state = toldBy(entry) ?? (await lastToldBefore(snapshot, { type, id }, revision))
  const uuid = state?.uuid ?? (await uuidOfRemoved(snapshot, { type, id })) ?? null
  return { type, id, verb, revision, name: state === undefined ? null : nameOf(state), uuid }
}

export async function existingSet(snapshot: Snapshot, id: string): Promise<KeptSet> {
  const set = await changeSetWith(snapshot, id)
  if (set === undefined) throw noSuchSet(id)
  return set
}

const noSuchSet = (id: string): Refusal =>
  new Refusal(
    'not-found',
    `There is no set of changes ${JSON.stringify(id)}. What was changed before this farm kept sets belongs to none: look at the history of the record, and revert it.`,
  )

/** These sets by id, for whoever names them. */
export const setsNamed = (snapshot: Snapshot, ids: readonly string[]): Promise<ReadonlyMap<string, KeptSet>> =>
  changeSetsWith(snapshot, [...new Set(ids)])

type Link = Pick<KeptSet, 'id' | 'undone_by'>

/**
 * The sets that are undone, and by which. A set is in effect unless a set in effect undid it: after undo and redo it is
 * in effect.
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

/** Undone set to undoing set. */
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
