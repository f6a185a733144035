import type { Farm } from '../farm/farm.ts'
import { implicationsOf, staysWithout } from '../history/implications.ts'
import type { Writing } from '../storage/database.ts'
import { sweepFiles } from '../storage/file-rows.ts'
import { addInventoryChanges, removeInventoryChanges } from '../storage/history/inventory-rows.ts'
import { addStay, removeStay } from '../storage/history/stay-rows.ts'
import { writeJournal } from '../storage/journal.ts'
import { nothingIndexed, reindexRecord } from '../storage/records/index-rows.ts'
import { deleteRecord, insertRecord, lockTimelines, replaceRecord } from '../storage/records/record-rows.ts'
import type { Stored, Unstored } from '../storage/records/stored.ts'
import { indexOf } from './record-index.ts'

interface Creation {
  readonly record: Unstored
  /** Who does it: not always the one who is noted as the author. */
  readonly uid: number
}

/** Keeps a new record with all that follows from it: index, histories, journal. */
export async function storeNew(rows: Writing, farm: Farm, { record, uid }: Creation): Promise<Stored> {
  const stored = await insertRecord(rows, record)
  await reindexRecord(rows, { type: stored.type, id: stored.id, before: nothingIndexed, after: indexOf(farm, stored) })
  await rewriteHistory(rows, undefined, stored)
  await writeJournal(rows, { verb: 'create', record: stored, uid, at: stored.changed })
  return stored
}

interface Change {
  readonly before: Stored
  readonly after: Stored
  readonly uid: number
}

export async function storeChange(rows: Writing, farm: Farm, { before, after, uid }: Change): Promise<void> {
  await replaceRecord(rows, after)
  const index = { before: indexOf(farm, before), after: indexOf(farm, after) }
  await reindexRecord(rows, { type: after.type, id: after.id, ...index })
  await rewriteHistory(rows, before, after)
  await sweepFiles(rows, filesIn(index.before.references))
  await writeJournal(rows, { verb: 'update', record: after, uid, at: after.changed })
}

interface Removal {
  readonly record: Stored
  readonly uid: number
  readonly at: number
}

export async function storeRemoval(rows: Writing, farm: Farm, { record, uid, at }: Removal): Promise<void> {
  const before = indexOf(farm, record)
  await reindexRecord(rows, { type: record.type, id: record.id, before, after: nothingIndexed })
  await rewriteHistory(rows, record, undefined)
  await deleteRecord(rows, record)
  await sweepFiles(rows, filesIn(before.references))
  await writeJournal(rows, { verb: 'remove', record, uid, at })
}

const filesIn = (references: readonly { readonly type: string; readonly id: number }[]): readonly number[] =>
  references.filter((to) => to.type === 'file').map((to) => to.id)

/** Takes back what a log implied before and enters what it implies now. */
async function rewriteHistory(rows: Writing, before: Stored | undefined, after: Stored | undefined): Promise<void> {
  const old = before?.type === 'log' ? implicationsOf(before) : { stays: [], inventoryChanges: [] }
  const now = after?.type === 'log' ? implicationsOf(after) : { stays: [], inventoryChanges: [] }
  const gone = staysWithout(old.stays, now.stays)
  const added = staysWithout(now.stays, old.stays)
  await lockTimelines(rows, [...new Set([...gone, ...added].flatMap((stay) => stay.assets))])
  for (const stay of gone) await removeStay(rows, stay)
  for (const stay of added) await addStay(rows, stay)
  if (JSON.stringify(old.inventoryChanges) === JSON.stringify(now.inventoryChanges)) return
  if (before !== undefined) await removeInventoryChanges(rows, before.id)
  await addInventoryChanges(rows, now.inventoryChanges)
}
