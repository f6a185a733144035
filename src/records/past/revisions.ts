import type { TrashView } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { findAccounts } from '../../storage/access/account-rows.ts'
import { changeSetsWith } from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'
import { recordsNow } from '../../storage/feed/records-now.ts'
import { type JournalEntry, latestRevisions, toldBy, uuidOfRemoved } from '../../storage/journal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import type { JournalVerb } from '../../storage/sql/tables.ts'
import { noSuchRecord } from '../writing/update.ts'

/** One change of a record. */
export interface Revision {
  readonly revision: number
  readonly verb: JournalVerb
  readonly at: number
  /** Null where it is withheld. */
  readonly who: ChangeAuthor | null
  /** The three are null of what is older than sets, and where they are withheld. */
  readonly client: string | null
  readonly request: string | null
  readonly set: string | null
  /** The record before and after; null if it was deleted for good or is withheld. A removal changes no field. */
  readonly change: { readonly before: StoredRecord | null; readonly after: StoredRecord } | null
}

export interface RevisionQuery {
  readonly type: RecordTypeName
  readonly id: number
  /** Only revisions before this one. */
  readonly before?: number
  readonly limit: number
  readonly trash: TrashView
}

interface RevisionList {
  readonly uuid: string | null
  readonly revisions: readonly Revision[]
  /** The revision before which there are more; null where there are none. */
  readonly next: number | null
}

/** The revisions of a record, newest first; also of a removed one. */
export async function revisionsOf(
  snapshot: Snapshot,
  { type, id, before, limit, trash }: RevisionQuery,
): Promise<RevisionList> {
  // A change is the difference to the previous entry, or, if that is a removal, to the one before it.
  const page = { type, id, most: limit + 2 }
  const entries = await latestRevisions(snapshot, before === undefined ? page : { ...page, before })
  if (entries.length === 0 && (await latestRevisions(snapshot, { type, id, most: 1 })).length === 0)
    throw noSuchRecord(type, id)
  const shown = entries.slice(0, limit)
  const states = entries.map(toldBy)
  const sets = await changeSetsWith(snapshot, [...new Set(shown.flatMap(({ set_id }) => set_id ?? []))])
  const who = await peopleBehind(snapshot, shown)
  const revisions = shown.map((entry, index): Revision => {
    const set = sets.get(entry.set_id ?? '')
    return {
      revision: entry.revision,
      verb: entry.verb,
      at: entry.at,
      who: who(entry.uid),
      client: set?.client ?? null,
      request: set?.request ?? null,
      set: entry.set_id,
      change: changeBy(entry, states.slice(index)),
    }
  })
  const uuid = states.find((state) => state !== null)?.uuid ?? (await uuidOfRemoved(snapshot, { type, id }))
  const last = shown.at(-1)
  const isWithheld = trash === 'withheld' && (await recordsNow(snapshot, type, [id])).get(id)?.isThere !== true
  return {
    uuid: uuid ?? null,
    revisions: isWithheld ? revisions.map(withheld) : revisions,
    next: entries.length > limit && last ? last.revision : null,
  }
}

const withheld = ({ revision, verb, at }: Revision): Revision => ({
  revision,
  verb,
  at,
  who: null,
  client: null,
  request: null,
  set: null,
  change: null,
})

/** From this state back to the oldest available. */
type StatesBackwards = readonly (StoredRecord | null)[]

function changeBy({ verb }: JournalEntry, [after, ...earlier]: StatesBackwards): Revision['change'] {
  const before = earlier.find((state) => state !== null) ?? null
  if (verb === 'remove') return before && { before, after: before }
  return after ? { before: verb === 'create' ? null : before, after } : null
}

/** The author of a change: a removed account is kept blocked. */
export interface ChangeAuthor {
  readonly uid: number
  /** Null for changes by the farm itself. */
  readonly name: string | null
  readonly blocked: boolean
}

/** The people behind changes. */
export async function peopleBehind(
  snapshot: Snapshot,
  changes: readonly { readonly uid: number }[],
): Promise<(uid: number) => ChangeAuthor> {
  const accounts = await findAccounts(snapshot, [...new Set(changes.map(({ uid }) => uid))])
  const known = new Map(accounts.map(({ uid, name, blocked }) => [uid, { uid, name, blocked: blocked !== 0 }]))
  return (uid) => known.get(uid) ?? { uid, name: null, blocked: false }
}
