import { isDeepStrictEqual } from 'node:util'
import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { refuseOwnPlaces } from '../../history/circles.ts'
import { byType, implicationsOf, staysWithout } from '../../history/implications.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import {
  addInventoryChanges,
  type InventoryChange,
  removeInventoryChanges,
} from '../../storage/history/inventory-rows.ts'
import type { Stay } from '../../storage/history/stay-rows.ts'
import { addStays, removeStays } from '../../storage/history/timelines.ts'
import { identityRows, markRemoved, type NewIdentity } from '../../storage/identity.ts'
import { journalRows, writeJournal } from '../../storage/journal.ts'
import { indexRows, reindex, unindex } from '../../storage/records/index-rows.ts'
import {
  deleteRecord,
  insertAgain,
  insertRecords,
  lockTimelines,
  replaceRecord,
  replaceRecords,
} from '../../storage/records/record-rows.ts'
import type { RecordToStore, StoredRecord } from '../../storage/records/stored.ts'
import { readTrashDays } from '../../storage/settings.ts'
import { holdAlone } from '../../storage/sql/advisory-locks.ts'
import { insertTogether } from '../../storage/sql/insertion.ts'
import { endRecord } from '../../storage/trash-rows.ts'
import { dropFiles } from '../../storage/unused-files.ts'
import type { QuantityFate } from '../quantities/dropped-quantity.ts'
import { followLog } from '../quantities/following.ts'
import {
  broughtBy,
  type FreshRows,
  freshRows,
  noneWaiting,
  takeBrought,
  type WaitingQuantities,
} from '../quantities/new-quantities.ts'
import { indexOf } from '../record-index.ts'

interface Creation {
  readonly type: RecordTypeName
  readonly records: readonly RecordToStore[]
  readonly set: ChangeSet
  /** Fingerprints of the drafts of those whose UUIDs came from a client, by UUID. */
  readonly drafts?: ReadonlyMap<string, string>
  /** Default names. */
  readonly nameOf?: (id: number) => string
  /** The quantities that these logs take over. */
  readonly waiting?: WaitingQuantities
}

/** Keeps new records of one type with all that follows from them: index, histories, journal. */
export async function storeNew(
  tx: Transaction,
  farm: Farm,
  { type, records, set, drafts, nameOf, waiting = noneWaiting }: Creation,
): Promise<readonly StoredRecord[]> {
  if (records.length === 0) return []
  const brought = await broughtBy(tx, records, waiting)
  const { stored: inserted, numbers } = await insertRecords(tx, type, { records, quantities: brought.fresh.length })
  const stored = nameOf === undefined ? inserted : await named(tx, inserted, nameOf)
  const fresh = freshRows(brought, { farm, logs: stored, numbers }, set)
  const identities = [...stored.map((record) => identityIn(record, set, drafts)), ...fresh.identities]
  await enter(tx, farm, { verb: 'create', records: stored, identities, set, fresh })
  await takeBrought(tx, brought, { farm, logs: stored, set })
  return stored
}

/** A name that follows from the number can be given once there is one. */
async function named(
  tx: Transaction,
  records: readonly StoredRecord[],
  nameOf: (id: number) => string,
): Promise<readonly StoredRecord[]> {
  const all: StoredRecord[] = []
  for (const record of records) {
    const isNamed = typeof record.values.name === 'string' && record.values.name.trim() !== ''
    const after = isNamed ? record : { ...record, values: { ...record.values, name: nameOf(record.id) } }
    if (!isNamed) await replaceRecord(tx, record, after)
    all.push(after)
  }
  return all
}

interface NewEntries {
  readonly verb: 'create' | 'restore'
  readonly records: readonly StoredRecord[]
  /** New identities. */
  readonly identities: readonly NewIdentity[]
  readonly set: ChangeSet
  readonly fresh?: FreshRows
}

/** All that follows from records of one type that were not there before. */
async function enter(
  tx: Transaction,
  farm: Farm,
  { verb, records, identities, set, fresh }: NewEntries,
): Promise<void> {
  const { reference, facet } = indexRows(records.map((record) => ({ id: record.id, index: indexOf(farm, record) })))
  await insertTogether(tx, {
    identity: identityRows(identities),
    quantity: fresh?.quantity ?? [],
    reference: [...reference, ...(fresh?.references ?? [])],
    facet,
    journal: journalRows(
      set,
      records.map((record) => ({ verb, record, at: record.changed })),
    ),
  })
  await rewriteHistory(
    tx,
    records.map((after) => ({ after })),
  )
}

interface Return {
  readonly record: StoredRecord
  readonly set: ChangeSet
}

/** Keeps a new record under a number of its own, such as that of another server. */
export async function storeNumbered(tx: Transaction, farm: Farm, { record, set }: Return): Promise<void> {
  await insertAgain(tx, record)
  const identities = [identityIn(record, set, undefined)]
  await enter(tx, farm, { verb: 'create', records: [record], identities, set })
  await followLog(tx, farm, { after: record, set, at: record.changed })
}

/** Keeps a record again that was removed, under its number and UUID. */
export async function storeRestored(tx: Transaction, farm: Farm, { record, set }: Return): Promise<void> {
  await insertAgain(tx, record)
  await markRemoved(tx, record.uuid, null)
  await enter(tx, farm, { verb: 'restore', records: [record], identities: [], set })
  await followLog(tx, farm, { after: record, set, at: record.changed })
}

const identityIn = (record: StoredRecord, set: ChangeSet, drafts: Creation['drafts']): NewIdentity => ({
  uuid: record.uuid,
  type: record.type,
  number: record.id,
  uid: set.uid,
  draft: drafts?.get(record.uuid) ?? null,
})

interface Change {
  readonly before: StoredRecord
  readonly after: StoredRecord
  readonly set: ChangeSet
  /** The fate of quantities that a log drops. */
  readonly fate?: QuantityFate
}

export const storeChange = (tx: Transaction, farm: Farm, { set, ...change }: Change): Promise<void> =>
  storeChanges(tx, farm, { type: change.after.type, changes: [change], set })

interface Changes {
  readonly type: RecordTypeName
  /** Each of another record. */
  readonly changes: readonly Omit<Change, 'set'>[]
  readonly set: ChangeSet
}

/** Keeps what has become of records of one type, with all that follows from it. */
export async function storeChanges(tx: Transaction, farm: Farm, { type, changes, set }: Changes): Promise<void> {
  await replaceRecords(tx, type, changes)
  for (const change of changes) await followLog(tx, farm, { ...change, set, at: change.after.changed })
  const indexes = changes.map(({ before, after }) => ({
    id: after.id,
    at: after.changed,
    before: indexOf(farm, before),
    after: indexOf(farm, after),
  }))
  await reindex(tx, indexes)
  await rewriteHistory(tx, changes)
  for (const { id, at, before, after } of indexes) {
    const dropped = before.files.filter((file) => !after.files.includes(file))
    await dropFiles(tx, dropped, { type, id, at })
  }
  await writeJournal(
    tx,
    set,
    changes.map(({ after }) => ({ verb: 'update', record: after, at: after.changed })),
  )
}

interface Removal extends Pick<Change, 'set' | 'fate'> {
  readonly record: StoredRecord
  readonly at: number
}

/** It goes into the trash with its files; where nothing is kept there, it ends at once. */
export async function storeRemoval(tx: Transaction, farm: Farm, { record, set, at, fate }: Removal): Promise<void> {
  const { type, id, uuid } = record
  await followLog(tx, farm, { before: record, set, at, fate })
  const files = await unindex(tx, record)
  await rewriteHistory(tx, [{ before: record }])
  await deleteRecord(tx, record)
  await dropFiles(tx, files, { type, id, at })
  await markRemoved(tx, uuid, at)
  await writeJournal(tx, set, [{ verb: 'remove', record: { ...record, revision: record.revision + 1 }, at }])
  if ((await readTrashDays(tx)) === 0) await endRecord(tx, { type, id, uuid, at })
}

interface LogReplacement {
  readonly before?: StoredRecord
  readonly after?: StoredRecord
}

/** Takes back what logs implied before and enters what they imply now. */
async function rewriteHistory(tx: Transaction, changes: readonly LogReplacement[]): Promise<void> {
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
  const touched = byType([...gone, ...added].flatMap(({ things: { type, ids } }) => ids.map((id) => ({ type, id }))))
  if (added.some(needsOrder)) await holdAlone(tx, 'ancestry')
  for (const things of touched) await lockTimelines(tx, things)
  await removeStays(tx, gone)
  const places = await addStays(tx, added)
  if (inventoryChanges.length > 0) await addInventoryChanges(tx, inventoryChanges)
  // If nothing was ever put into the moved things, no cycle is possible.
  if (places.length === 0) return
  for (const { after } of changes) if (after?.type === 'log') await refuseOwnPlaces(tx, after)
}

/** Two places that are put into each other at the same time would each find nothing wrong; areas that stay where they are need not wait. */
const needsOrder = ({ kind, things, places }: Stay): boolean =>
  kind === 'movement' && (things.type === 'term' || places.some(({ type }) => type === 'asset'))
