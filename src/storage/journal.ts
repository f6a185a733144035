import type { Writing } from './database.ts'
import type { Stored } from './records/stored.ts'

interface Entry {
  readonly verb: 'create' | 'update' | 'remove'
  readonly record: Stored
  readonly uid: number
  readonly at: number
}

/** Notes a change in the transaction that makes it. What was before is the entry before. */
export async function writeJournal(rows: Writing, { verb, record, uid, at }: Entry): Promise<void> {
  await rows
    .insertInto('journal')
    .values({
      at,
      uid,
      record_type: record.type,
      record_id: record.id,
      verb,
      after: verb === 'remove' ? null : JSON.stringify(record),
    })
    .execute()
}
