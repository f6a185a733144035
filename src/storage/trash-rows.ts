import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot, Transaction } from './database.ts'
import { type Identity, markEnded } from './identity.ts'
import type { Stored } from './records/stored.ts'
import { preparedChange, preparedFirst } from './sql/prepared.ts'
import { freeFilesOf } from './unused-files.ts'

/** A record by the UUID that it has for ever, or by its type and number. */
export type RecordName = { readonly uuid: string } | { readonly type: RecordTypeName; readonly id: number }

/** What a UUID, or the number of a record that is not there, stands for; locked against those who bring it back or end it. */
export async function lockIdentity(tx: Transaction, name: RecordName): Promise<Identity | undefined> {
  return 'uuid' in name ? lockedByUuid(tx, name) : lockedByNumber(tx, name)
}

const lockedByUuid = preparedFirst((tx: Transaction, { uuid }: { readonly uuid: string }) =>
  tx.selectFrom('identity').selectAll().where('uuid', '=', uuid).forUpdate(),
)

type Numbered = { readonly type: RecordTypeName; readonly id: number }

const lockedByNumber = preparedFirst((tx: Transaction, { type, id }: Numbered) =>
  tx
    .selectFrom('identity')
    .selectAll()
    .where('removed', 'is not', null)
    .where('type', '=', type)
    .where('number', '=', id)
    .forUpdate(),
)

/** A record that was removed. */
export interface Content {
  /** As it was at its last revision but its removal. */
  readonly record: Stored
  /** That of its removal. */
  readonly revision: number
}

/** What a record that was removed said last, or undefined where nothing is kept of it. */
export async function contentOf(
  snapshot: Snapshot,
  { type, number }: Pick<Identity, 'type' | 'number'>,
): Promise<Content | undefined> {
  const told = await lastTold(snapshot, { type, number })
  const last = await lastEntry(snapshot, { type, number })
  if (told === undefined || last === undefined) return undefined
  return { record: JSON.parse(String(told.after)) as Stored, revision: last.revision }
}

type Of = { readonly type: string; readonly number: number }

const lastTold = preparedFirst((snapshot, { type, number }: Of) =>
  snapshot
    .selectFrom('journal')
    .select('after')
    .where('record_type', '=', type)
    .where('record_id', '=', number)
    .where('after', 'is not', null)
    .orderBy('sequence', 'desc')
    .limit(1),
)

const lastEntry = preparedFirst((snapshot, { type, number }: Of) =>
  snapshot
    .selectFrom('journal')
    .select('revision')
    .where('record_type', '=', type)
    .where('record_id', '=', number)
    .orderBy('sequence', 'desc')
    .limit(1),
)

/** A record that is in the trash, and when it ends for good. */
export interface Ending {
  readonly type: RecordTypeName
  readonly id: number
  readonly uuid: string
  readonly at: number
}

/** Forgets what a removed record ever said, and frees its files: that it was there, by whom and when, stays for ever. */
export async function endRecord(tx: Transaction, { type, id, uuid, at }: Ending): Promise<void> {
  await journalEmptied(tx, { type, number: id })
  await freeFilesOf(tx, { type, id, at })
  await markEnded(tx, uuid, at)
}

const journalEmptied = preparedChange((tx, { type, number }: Of) =>
  tx
    .updateTable('journal')
    .set({ after: null })
    .where('record_type', '=', type)
    .where('record_id', '=', number)
    .where('after', 'is not', null),
)
