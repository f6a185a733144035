import { isDeepStrictEqual } from 'node:util'
import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { implicationsOf, staysWithout } from '../../history/implications.ts'
import type { Transaction } from '../../storage/database.ts'
import { sweepFiles } from '../../storage/file-rows.ts'
import {
  addInventoryChanges,
  type InventoryChange,
  removeInventoryChanges,
} from '../../storage/history/inventory-rows.ts'
import type { Stay } from '../../storage/history/stay-rows.ts'
import { addStays, removeStay } from '../../storage/history/timelines.ts'
import { writeJournal } from '../../storage/journal.ts'
import { enterIndex, reindex, unindex } from '../../storage/records/index-rows.ts'
import { deleteRecord, insertRecords, lockTimelines, replaceRecord } from '../../storage/records/record-rows.ts'
import type { Stored, Unstored } from '../../storage/records/stored.ts'
import { indexOf } from '../record-index.ts'

interface Creation {
  readonly type: RecordTypeName
  readonly records: readonly Unstored[]
  /** Who does it: not always the one who is noted as the author. */
  readonly uid: number
}

/** Keeps new records of one type with all that follows from them: index, histories, journal. */
export async function storeNew(
  tx: Transaction,
  farm: Farm,
  { type, records, uid }: Creation,
): Promise<readonly Stored[]> {
  const stored = await insertRecords(tx, type, records)
  await enterIndex(
    tx,
    stored.map((record) => ({ id: record.id, index: indexOf(farm, record) })),
  )
  await rewriteHistory(
    tx,
    stored.map((after) => ({ after })),
  )
  await writeJournal(
    tx,
    stored.map((record) => ({ verb: 'create', record, uid, at: record.changed })),
  )
  return stored
}

interface Change {
  readonly before: Stored
  readonly after: Stored
  readonly uid: number
}

export async function storeChange(tx: Transaction, farm: Farm, { before, after, uid }: Change): Promise<void> {
  await replaceRecord(tx, before, after)
  const files = await reindex(tx, after, indexOf(farm, after))
  await rewriteHistory(tx, [{ before, after }])
  await sweepFiles(tx, files)
  await writeJournal(tx, [{ verb: 'update', record: after, uid, at: after.changed }])
}

interface Removal {
  readonly record: Stored
  readonly uid: number
  readonly at: number
}

export async function storeRemoval(tx: Transaction, { record, uid, at }: Removal): Promise<void> {
  const files = await unindex(tx, record)
  await rewriteHistory(tx, [{ before: record }])
  await deleteRecord(tx, record)
  await sweepFiles(tx, files)
  await writeJournal(tx, [{ verb: 'remove', record, uid, at }])
}

interface Rewriting {
  readonly before?: Stored
  readonly after?: Stored
}

/** Takes back what logs implied before and enters what they imply now. */
async function rewriteHistory(tx: Transaction, changes: readonly Rewriting[]): Promise<void> {
  const gone: Stay[] = []
  const added: Stay[] = []
  const inventoryChanges: InventoryChange[] = []
  for (const { before, after } of changes) {
    const old = implicationsOf(before)
    const now = implicationsOf(after)
    gone.push(...staysWithout(old.stays, now.stays))
    added.push(...staysWithout(now.stays, old.stays))
    if (isDeepStrictEqual(old.inventoryChanges, now.inventoryChanges)) continue
    if (before !== undefined) await removeInventoryChanges(tx, before.id)
    inventoryChanges.push(...now.inventoryChanges)
  }
  await lockTimelines(tx, [...new Set([...gone, ...added].flatMap((stay) => stay.assets))])
  for (const stay of gone) await removeStay(tx, stay)
  await addStays(tx, added)
  await addInventoryChanges(tx, inventoryChanges)
}
