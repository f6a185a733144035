import type { Values } from '../fields/value.ts'
import type { Reading, Writing } from './database.ts'
import { insertAll } from './insertion.ts'
import type { Stored } from './records/stored.ts'

interface Entry {
  readonly verb: 'create' | 'update' | 'remove'
  readonly record: Stored
  readonly uid: number
  readonly at: number
}

/** Notes a change in the transaction that makes it. What was before is the entry before. */
export async function writeJournal(rows: Writing, { verb, record, uid, at }: Entry): Promise<void> {
  const after = verb === 'remove' ? null : JSON.stringify(record)
  await insertAll(rows, 'journal', [{ at, uid, record_type: record.type, record_id: record.id, verb, after }])
}

export interface RecordedChange {
  readonly before: Values
  readonly after: Values
  readonly at: number
  readonly uid: number
}

/** What became of a record after that revision of it, oldest first. */
export async function changesSince(
  rows: Reading,
  record: Stored,
  revision: number,
): Promise<readonly RecordedChange[]> {
  const entries = await rows
    .selectFrom('journal')
    .select(['after', 'at', 'uid'])
    .where('record_type', '=', record.type)
    .where('record_id', '=', record.id)
    .where('after', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(20)
    .execute()
  const states = entries
    .toReversed()
    .map(({ after, at, uid }) => ({ state: JSON.parse(String(after)) as Stored, at, uid }))
  return states.flatMap(({ state, at, uid }, index) => {
    const previous = states[index - 1]
    if (previous === undefined || previous.state.revision < revision) return []
    return [{ before: previous.state.values, after: state.values, at, uid }]
  })
}
