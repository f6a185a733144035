import { isDeepStrictEqual } from 'node:util'
import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { implicationsOf, staysWithout } from '../../history/implications.ts'
import { quantitiesOf } from '../../history/log-parts.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import {
  addInventoryChanges,
  type InventoryChange,
  removeInventoryChanges,
} from '../../storage/history/inventory-rows.ts'
import type { Stay } from '../../storage/history/stay-rows.ts'
import { addStays, removeStay } from '../../storage/history/timelines.ts'
import { claimIdentities, identitiesOf, identityRows, markRemoved, type NewIdentity } from '../../storage/identity.ts'
import { journalRows, writeJournal } from '../../storage/journal.ts'
import { indexRows, reindex, unindex } from '../../storage/records/index-rows.ts'
import {
  deleteRecord,
  insertAgain,
  insertRecords,
  lockTimelines,
  replaceRecord,
} from '../../storage/records/record-rows.ts'
import type { Stored, Unstored } from '../../storage/records/stored.ts'
import { readTrashDays } from '../../storage/settings.ts'
import { insertTogether } from '../../storage/sql/insertion-together.ts'
import { endRecord } from '../../storage/trash-rows.ts'
import { dropFiles } from '../../storage/unused-files.ts'
import { indexOf } from '../record-index.ts'

interface Creation {
  readonly type: RecordTypeName
  readonly records: readonly Unstored[]
  readonly set: ChangeSet
  /** Fingerprints of the drafts of those whose UUIDs came from a client, by UUID. */
  readonly drafts?: ReadonlyMap<string, string>
}

/** Keeps new records of one type with all that follows from them: index, histories, journal. */
export async function storeNew(
  tx: Transaction,
  farm: Farm,
  { type, records, set, drafts }: Creation,
): Promise<readonly Stored[]> {
  if (records.length === 0) return []
  const stored = await insertRecords(tx, type, records)
  const identities = stored.flatMap((record) => identitiesIn(record, set, drafts))
  await enter(tx, farm, { verb: 'create', records: stored, identities, set })
  return stored
}

interface Entered {
  readonly verb: 'create' | 'restore'
  readonly records: readonly Stored[]
  /** Those that were not taken before. */
  readonly identities: readonly NewIdentity[]
  readonly set: ChangeSet
}

/** All that follows from records of one type that were not there before. */
async function enter(tx: Transaction, farm: Farm, { verb, records, identities, set }: Entered): Promise<void> {
  await insertTogether(tx, {
    identity: identityRows(identities),
    ...indexRows(records.map((record) => ({ id: record.id, index: indexOf(farm, record) }))),
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
  readonly record: Stored
  readonly set: ChangeSet
}

/** Keeps a record again that was removed, under its number and UUID. */
export async function storeRestored(tx: Transaction, farm: Farm, { record, set }: Return): Promise<void> {
  await insertAgain(tx, record)
  await markRemoved(tx, record.uuid, null)
  const identities = await unclaimed(tx, quantityIdentities(record, set))
  await enter(tx, farm, { verb: 'restore', records: [record], identities, set })
}

const identitiesIn = (record: Stored, set: ChangeSet, drafts: Creation['drafts']): readonly NewIdentity[] => [
  { uuid: record.uuid, type: record.type, number: record.id, uid: set.uid, draft: drafts?.get(record.uuid) ?? null },
  ...quantityIdentities(record, set),
]

const quantityIdentities = ({ type, id, values }: Stored, { uid }: ChangeSet): readonly NewIdentity[] =>
  type === 'log' ? quantitiesOf(values).map(({ uuid }) => ({ uuid, type: 'quantity', number: id, uid })) : []

/** A quantity that was there before, also some revisions ago, keeps its identity. */
async function claimNewQuantities(tx: Transaction, set: ChangeSet, { before, after }: Rewritten): Promise<void> {
  const there = new Set(quantityIdentities(before, set).map(({ uuid }) => uuid))
  const added = quantityIdentities(after, set).filter(({ uuid }) => !there.has(uuid))
  await claimIdentities(tx, await unclaimed(tx, added))
}

async function unclaimed(tx: Transaction, identities: readonly NewIdentity[]): Promise<readonly NewIdentity[]> {
  const known = await identitiesOf(
    tx,
    identities.map(({ uuid }) => uuid),
  )
  return identities.filter(({ uuid }) => !known.has(uuid))
}

interface Rewritten {
  readonly before: Stored
  readonly after: Stored
}

interface Change extends Rewritten {
  readonly set: ChangeSet
}

export async function storeChange(tx: Transaction, farm: Farm, { before, after, set }: Change): Promise<void> {
  await replaceRecord(tx, before, after)
  await claimNewQuantities(tx, set, { before, after })
  const files = await reindex(tx, after, indexOf(farm, after))
  await rewriteHistory(tx, [{ before, after }])
  await dropFiles(tx, files, { type: after.type, id: after.id, at: after.changed })
  await writeJournal(tx, set, [{ verb: 'update', record: after, at: after.changed }])
}

interface Removal {
  readonly record: Stored
  readonly set: ChangeSet
  readonly at: number
}

/** It goes into the trash with its files; where nothing is kept there, it ends at once. */
export async function storeRemoval(tx: Transaction, { record, set, at }: Removal): Promise<void> {
  const { type, id, uuid } = record
  const files = await unindex(tx, record)
  await rewriteHistory(tx, [{ before: record }])
  await deleteRecord(tx, record)
  await dropFiles(tx, files, { type, id, at })
  await markRemoved(tx, uuid, at)
  await writeJournal(tx, set, [{ verb: 'remove', record: { ...record, revision: record.revision + 1 }, at }])
  if ((await readTrashDays(tx)) === 0) await endRecord(tx, { type, id, uuid, at })
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
