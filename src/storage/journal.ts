import { randomInt } from 'node:crypto'
import type { Values } from '../fields/value.ts'
import type { ChangeSet } from './change-set.ts'
import type { Snapshot, Transaction } from './database.ts'
import type { Stored } from './records/stored.ts'
import { insertAll } from './sql/insertion.ts'
import { prepared, preparedFirst } from './sql/prepared.ts'
import type { JournalRow, JournalVerb } from './sql/tables.ts'

interface Entry {
  readonly verb: JournalVerb
  /** As it is from then on; of a removal as it was, under the revision that its removal is. */
  readonly record: Stored
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

export interface RecordedChange {
  readonly before: Values
  readonly after: Values
  readonly at: number
  readonly uid: number
}

/** What became of a record after that revision of it, oldest first. */
export async function changesSince(
  snapshot: Snapshot,
  record: Stored,
  revision: number,
): Promise<readonly RecordedChange[]> {
  const entries = await latestEntries(snapshot, { type: record.type, id: record.id })
  const states = entries
    .toReversed()
    .map(({ after, at, uid }) => ({ state: JSON.parse(String(after)) as Stored, at, uid }))
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
  { type, id }: Pick<Stored, 'type' | 'id'>,
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
