import type { Selectable } from 'kysely'
import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot } from './database.ts'
import { removedAmong } from './identity.ts'
import type { Stored } from './records/stored.ts'
import { prepared, preparedFirst } from './sql/prepared.ts'
import type { JournalRow } from './sql/tables.ts'

/** One entry of the journal. */
export type JournalEntry = Omit<Readonly<Selectable<JournalRow>>, 'record_type'> & {
  readonly record_type: RecordTypeName
}

export interface Which {
  readonly type: RecordTypeName
  readonly id: number
}

// Nothing but records is in the journal.
const asEntries = (rows: readonly Selectable<JournalRow>[]): readonly JournalEntry[] => rows as readonly JournalEntry[]

/** The record as an entry tells it; null where it tells nothing: of a removal, and of what is ended for good. */
export const toldBy = ({ after }: Pick<JournalEntry, 'after'>): Stored | null =>
  after === null ? null : (JSON.parse(after) as Stored)

interface RevisionPage extends Which {
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

/** What became of a record after that revision, oldest first. */
export const revisionsAfter = async (
  snapshot: Snapshot,
  { type, id }: Which,
  revision: number,
): Promise<readonly JournalEntry[]> => asEntries(await entriesAfter(snapshot, { type, id, revision }))

const entriesAfter = prepared((snapshot, { type, id, revision }: Which & { readonly revision: number }) =>
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
  { type, id }: Which,
  revision: number,
): Promise<JournalEntry | undefined> {
  const [entry] = await latestRevisions(snapshot, { type, id, before: revision + 1, most: 1 })
  return entry?.revision === revision ? entry : undefined
}

/** As it was the last time that something was told of it before that revision. */
export async function lastToldBefore(
  snapshot: Snapshot,
  { type, id }: Which,
  revision: number,
): Promise<Stored | undefined> {
  const found = await lastTold(snapshot, { type, id, revision })
  return (found && toldBy(found)) ?? undefined
}

const lastTold = preparedFirst((snapshot, { type, id, revision }: Which & { readonly revision: number }) =>
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
export async function uuidOfRemoved(snapshot: Snapshot, { type, id }: Which): Promise<string | undefined> {
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
