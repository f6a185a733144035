import type { Selectable } from 'kysely'
import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot, Transaction } from './database.ts'
import { type Identity, markEnded } from './identity.ts'
import type { StoredRecord } from './records/stored.ts'
import { ask, fragment, listed } from './sql/fragment.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'
import type { JournalRow } from './sql/tables.ts'
import { freeFilesOf } from './unused-files.ts'

/** A record by the UUID that it has for ever, or by its type and number. */
export type RemovedRecordName = { readonly uuid: string } | { readonly type: RecordTypeName; readonly id: number }

/** The identity of a UUID, or of a missing record's id, locked against restore and deletion. */
export async function lockIdentity(tx: Transaction, name: RemovedRecordName): Promise<Identity | undefined> {
  return 'uuid' in name ? lockedByUuid(tx, name) : lockedByNumber(tx, name)
}

const lockedByUuid = preparedFirst((tx: Transaction, { uuid }: { readonly uuid: string }) =>
  tx.selectFrom('identity').selectAll().where('uuid', '=', uuid).forUpdate(),
)

type RecordKey = { readonly type: RecordTypeName; readonly id: number }

const lockedByNumber = preparedFirst((tx: Transaction, { type, id }: RecordKey) =>
  tx
    .selectFrom('identity')
    .selectAll()
    .where('removed', 'is not', null)
    .where('type', '=', type)
    .where('number', '=', id)
    .forUpdate(),
)

/** A record that was removed. */
export interface RecordContent {
  /** Its state before the removal. */
  readonly record: StoredRecord
  readonly removal: Removal
}

export type Removal = Pick<Selectable<JournalRow>, 'at' | 'uid' | 'set_id' | 'revision'>

/** The last content of a record in the trash; undefined if the journal lacks it. */
export async function contentOf(
  snapshot: Snapshot,
  { type, number }: Pick<Identity, 'type' | 'number'>,
): Promise<RecordContent | undefined> {
  const [removal, told] = await lastEntries(snapshot, { type, number })
  if (removal?.verb !== 'remove' || told === undefined || told.after === null) return undefined
  return { record: JSON.parse(told.after) as StoredRecord, removal }
}

type RemovedKey = { readonly type: string; readonly number: number }

const lastEntries = prepared((snapshot, { type, number }: RemovedKey) =>
  snapshot
    .selectFrom('journal')
    .select(['verb', 'at', 'uid', 'set_id', 'revision', 'after'])
    .where('record_type', '=', type)
    .where('record_id', '=', number)
    .orderBy('sequence', 'desc')
    .limit(2),
)

/** The identity of a UUID in the trash. */
export async function findTrashed(snapshot: Snapshot, uuid: string): Promise<TrashedIdentity | undefined> {
  return (await trashedUnder(snapshot, { uuid })) as TrashedIdentity | undefined
}

/** Only records are ever in the trash. */
export type TrashedIdentity = Identity & { readonly type: RecordTypeName; readonly removed: number }

const trashedUnder = preparedFirst((snapshot, { uuid }: { readonly uuid: string }) =>
  inTrash(snapshot).where('uuid', '=', uuid),
)

const inTrash = (snapshot: Snapshot) =>
  snapshot.selectFrom('identity').selectAll().where('removed', 'is not', null).where('ended', 'is', null)

interface TrashPage {
  readonly types: readonly RecordTypeName[]
  readonly offset: number
  readonly limit: number
}

/**
 * Newest removal first: by second, and within one by the journal. The type is part of an expression, because SQLite
 * would otherwise use its index and sort the whole trash for each page.
 */
const lastRemoved = (types: readonly RecordTypeName[]) =>
  fragment`from identity where removed is not null and ended is null and type || '' in (${listed(types)})
    order by removed desc, (select max(sequence) from journal
      where record_type = identity.type and record_id = identity.number) desc, uuid desc`

/** A page of the trash, newest removal first. */
export async function trashedPage(
  snapshot: Snapshot,
  { types, offset, limit }: TrashPage,
): Promise<readonly TrashedIdentity[]> {
  return ask(snapshot, fragment`select * ${lastRemoved(types)} limit ${limit} offset ${offset}`)
}

export async function countTrashed(snapshot: Snapshot, types: readonly RecordTypeName[]): Promise<number> {
  return Number((await trashedCount(snapshot, { types }))?.count ?? 0)
}

const trashedCount = preparedFirst((snapshot, { types }: Pick<TrashPage, 'types'>) =>
  snapshot
    .selectFrom('identity')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('removed', 'is not', null)
    .where('ended', 'is', null)
    .where('type', 'in', types),
)

/** A record that lies in the trash, as it was. */
interface TrashedRecord {
  readonly record: StoredRecord
  readonly removed: number
}

/** The latest removed record of one type, as it was. */
export async function lastTrashed(
  snapshot: Snapshot,
  type: RecordTypeName,
  most: number,
): Promise<readonly TrashedRecord[]> {
  const found = await ask<{ readonly removed: number; readonly after: string | null }>(
    snapshot,
    fragment`select identity.removed, (select after from journal where record_type = identity.type and record_id = identity.number
        and after is not null order by sequence desc limit 1) as after ${lastRemoved([type])} limit ${most}`,
  )
  return found.flatMap(({ removed, after }) => (after === null ? [] : [{ removed, record: JSON.parse(after) }]))
}

/** Some of what was removed until then, oldest first, and which nobody is bringing back at the moment; it stays until the transaction ends. */
export async function lockLongTrashed(
  tx: Transaction,
  slice: { readonly until: number; readonly most: number },
): Promise<readonly TrashedIdentity[]> {
  return (await longTrashed(tx, slice)) as readonly TrashedIdentity[]
}

const longTrashed = prepared((tx: Transaction, { until, most }: { readonly until: number; readonly most: number }) =>
  inTrash(tx).where('removed', '<=', until).orderBy('removed').limit(most).forUpdate().skipLocked(),
)

/** Contents of the trash; the bytes are those of unused files. */
export interface Holdings {
  readonly records: number
  readonly files: number
  readonly bytes: number
}

/** Uploads that wait for their first record are not in the trash. */
const isUnused = fragment`unused_since is not null and last_type is not null`

export async function trashHoldings(snapshot: Snapshot): Promise<Holdings> {
  const [held] = await ask<Holdings>(
    snapshot,
    fragment`select (select count(*) from identity where removed is not null and ended is null) as records,
      (select count(*) from file where ${isUnused}) as files,
      (select coalesce(sum(size), 0) from blob where sha256 in (select sha256 from file where ${isUnused})
        and not exists (select 1 from file where file.sha256 = blob.sha256 and not (${isUnused}))) as bytes`,
  )
  return { records: Number(held?.records), files: Number(held?.files), bytes: Number(held?.bytes) }
}

/** A record that is in the trash, and when it ends for good. */
interface TrashedRecordEnd {
  readonly type: RecordTypeName
  readonly id: number
  readonly uuid: string
  readonly at: number
}

/** Forgets what a removed record ever said, and frees its files: that it was there, by whom and when, stays for ever. */
export async function endRecord(tx: Transaction, { type, id, uuid, at }: TrashedRecordEnd): Promise<void> {
  await journalEmptied(tx, { type, number: id })
  await freeFilesOf(tx, { type, id, at })
  await markEnded(tx, uuid, at)
}

const journalEmptied = preparedChange((tx, { type, number }: RemovedKey) =>
  tx
    .updateTable('journal')
    .set({ after: null })
    .where('record_type', '=', type)
    .where('record_id', '=', number)
    .where('after', 'is not', null),
)
