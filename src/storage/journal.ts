import { randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { RecordTypeName } from '../farm/farm.ts'
import type { Values } from '../fields/value.ts'
import type { ChangeSet } from './change-set.ts'
import type { Snapshot, Transaction } from './database.ts'
import { removedAmong } from './identity.ts'
import type { StoredRecord } from './records/stored.ts'
import { insertAll } from './sql/insertion.ts'
import { prepared, preparedFirst } from './sql/prepared.ts'
import type { JournalRow, JournalVerb } from './sql/tables.ts'

interface Entry {
  readonly verb: JournalVerb
  /** The record after the change; for a removal the record before, with the revision of the removal. */
  readonly record: StoredRecord
  readonly at: number
}

const mostMarks = 2 ** 48 - 1

/** Notes changes in the transaction that makes them. What was before is the entry before. */
export async function writeJournal(tx: Transaction, set: ChangeSet, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0) await insertAll(tx, 'journal', journalRows(set, entries))
}

/** The entries as they are written, from when on the set has changes. */
export function journalRows(set: ChangeSet, entries: readonly Entry[]): readonly Omit<JournalRow, 'sequence'>[] {
  set.hasChanges ||= entries.length > 0
  return entries.map(({ verb, record, at }) => ({
    at,
    uid: set.uid,
    record_type: record.type,
    record_id: record.id,
    verb,
    after: verb === 'remove' ? null : JSON.stringify(record),
    revision: record.revision,
    set_id: set.id,
    mark: randomInt(mostMarks),
  }))
}

interface RecordedChange {
  readonly before: Values
  readonly after: Values
  readonly at: number
  readonly uid: number
}

/** Entries after that revision, oldest first. */
export async function changesSince(
  snapshot: Snapshot,
  record: StoredRecord,
  revision: number,
): Promise<readonly RecordedChange[]> {
  const entries = await latestEntries(snapshot, { type: record.type, id: record.id })
  const states = entries
    .toReversed()
    .map(({ after, at, uid }) => ({ state: JSON.parse(String(after)) as StoredRecord, at, uid }))
  return states.flatMap(({ state, at, uid }, index) => {
    const previous = states[index - 1]
    if (previous === undefined || previous.state.revision < revision) return []
    return [{ before: previous.state.values, after: state.values, at, uid }]
  })
}

const latestEntries = prepared((snapshot, { type, id }: { readonly type: string; readonly id: number }) =>
  snapshot
    .selectFrom('journal')
    .select(['after', 'at', 'uid'])
    .where('record_type', '=', type)
    .where('record_id', '=', id)
    .where('after', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(20),
)

/** The changes that a record was made with; undefined for what is older than sets. */
export async function setOfCreation(
  snapshot: Snapshot,
  { type, id }: Pick<StoredRecord, 'type' | 'id'>,
): Promise<string | undefined> {
  return (await firstEntry(snapshot, { type, id }))?.set_id ?? undefined
}

const firstEntry = preparedFirst((snapshot, { type, id }: { readonly type: string; readonly id: number }) =>
  snapshot
    .selectFrom('journal')
    .select('set_id')
    .where('record_type', '=', type)
    .where('record_id', '=', id)
    .orderBy('sequence')
    .limit(1),
)

/** One entry of the journal. */
export type JournalEntry = Omit<Readonly<Selectable<JournalRow>>, 'record_type'> & {
  readonly record_type: RecordTypeName
}

interface RecordKey {
  readonly type: RecordTypeName
  readonly id: number
}

// The cast is safe: the journal has only records.
const asEntries = (rows: readonly Selectable<JournalRow>[]): readonly JournalEntry[] => rows as readonly JournalEntry[]

/** The record as an entry tells it; null where it tells nothing: of a removal, and of what is ended for good. */
export const toldBy = ({ after }: Pick<JournalEntry, 'after'>): StoredRecord | null =>
  after === null ? null : (JSON.parse(after) as StoredRecord)

interface RevisionPage extends RecordKey {
  /** Only revisions before this one. */
  readonly before?: number
  readonly most: number
}

/** The revisions of a record, newest first. */
export const latestRevisions = async (snapshot: Snapshot, page: RevisionPage): Promise<readonly JournalEntry[]> =>
  asEntries(await entriesBefore(snapshot, { ...page }))

const entriesBefore = prepared((snapshot, { type, id, before, most }: RevisionPage) => {
  const all = snapshot.selectFrom('journal').selectAll().where('record_type', '=', type).where('record_id', '=', id)
  const wanted = before === undefined ? all : all.where('revision', '<', before)
  return wanted.orderBy('sequence', 'desc').limit(most)
})

/** Revisions after that one, oldest first. */
export const revisionsAfter = async (
  snapshot: Snapshot,
  { type, id }: RecordKey,
  revision: number,
): Promise<readonly JournalEntry[]> => asEntries(await entriesAfter(snapshot, { type, id, revision }))

const entriesAfter = prepared((snapshot, { type, id, revision }: RecordKey & { readonly revision: number }) =>
  snapshot
    .selectFrom('journal')
    .selectAll()
    .where('record_type', '=', type)
    .where('record_id', '=', id)
    .where('revision', '>', revision)
    .orderBy('sequence'),
)

/** One revision of a record, if there is such a one. */
export async function revisionOf(
  snapshot: Snapshot,
  { type, id }: RecordKey,
  revision: number,
): Promise<JournalEntry | undefined> {
  const [entry] = await latestRevisions(snapshot, { type, id, before: revision + 1, most: 1 })
  return entry?.revision === revision ? entry : undefined
}

/** The last known state before that revision. */
export async function lastToldBefore(
  snapshot: Snapshot,
  { type, id }: RecordKey,
  revision: number,
): Promise<StoredRecord | undefined> {
  const found = await lastTold(snapshot, { type, id, revision })
  return (found && toldBy(found)) ?? undefined
}

const lastTold = preparedFirst((snapshot, { type, id, revision }: RecordKey & { readonly revision: number }) =>
  snapshot
    .selectFrom('journal')
    .select('after')
    .where('record_type', '=', type)
    .where('record_id', '=', id)
    .where('revision', '<', revision)
    .where('after', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** The UUID of what was removed, also of what is ended for good. */
export async function uuidOfRemoved(snapshot: Snapshot, { type, id }: RecordKey): Promise<string | undefined> {
  return (await removedAmong(snapshot, type, [id])).get(id)?.uuid
}

interface SetPage {
  readonly set: string
  /** Only entries behind this one. */
  readonly after: number
  readonly most: number
}

/** The entries of a set, in the order in which they were made. */
export const entriesOfSet = async (snapshot: Snapshot, page: SetPage): Promise<readonly JournalEntry[]> =>
  asEntries(await entriesWithSet(snapshot, { ...page }))

const entriesWithSet = prepared((snapshot, { set, after, most }: SetPage) =>
  snapshot
    .selectFrom('journal')
    .selectAll()
    .where('set_id', '=', set)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(most),
)
