import { notOlder } from './commit.ts'
import type { CopyDatabase } from './database.ts'
import { sameValue } from './field-values.ts'
import { memory } from './memory.ts'
import { type Amendment, type OutboxAndCopyTransaction, putAmended, writeOutbox, writeOutboxAndCopy } from './outbox.ts'
import type { Entry } from './outbox-entry.ts'
import { type LocalRecord, rowOf } from './record.ts'
import { assetsMovedBy, movesBy, staysWith } from './stays.ts'

export interface Acknowledgement {
  /** Positions of the acknowledged entries. */
  readonly entries: readonly number[]
  /** Records as the server has them now, and UUIDs of removed ones. */
  readonly kept: readonly LocalRecord[]
  readonly removed: readonly string[]
  readonly changeSet: string | null
  readonly amended?: readonly Amendment[]
}

/** Moves acknowledged entries from `outbox` to `sent` and their records into the local copy, in one transaction. */
export function acknowledge(database: CopyDatabase, acknowledgement: Acknowledgement): Promise<void> {
  return writeOutboxAndCopy(database, async (transaction) => {
    const { removed } = acknowledgement
    const records = transaction.objectStore('record')
    const kept = await notOlder(acknowledgement.kept, (uuid) => records.get(uuid))
    const goneIds = await Promise.all(removed.map(async (uuid) => (await records.get(uuid))?.id))
    await moveToSent(transaction, acknowledgement)
    await rebaseLater(transaction, acknowledgement)
    for (const record of kept) await records.put(rowOf(record))
    for (const uuid of removed) await records.delete(uuid)
    const gone = goneIds.filter((id) => id !== undefined)
    const assetsMoved = await moveAssets(
      transaction,
      kept.filter(({ type }) => type === 'log'),
      gone,
    )
    return { uuids: [...kept.map(({ uuid }) => uuid), ...removed], assetsMoved }
  })
}

async function moveToSent(
  transaction: OutboxAndCopyTransaction,
  { entries, kept, changeSet }: Acknowledgement,
): Promise<void> {
  const edition = kept[0]?.version.split('.')[1] ?? memory.me.peek()?.edition ?? null
  for (const n of entries) {
    const entry = await transaction.objectStore('outbox').get(n)
    if (entry === undefined) continue
    await transaction.objectStore('outbox').delete(n)
    await transaction.objectStore('sent').put({ n, set: entry.set, changeSet, edition, sentAt: Date.now(), entry })
  }
}

/** Rebases later entries of the same record onto the version that the server just confirmed. */
async function rebaseLater(
  transaction: OutboxAndCopyTransaction,
  { kept, amended = [] }: Acknowledgement,
): Promise<void> {
  const store = transaction.objectStore('outbox')
  const versions = new Map(kept.map((record) => [record.uuid, record]))
  for (const entry of await store.getAll()) {
    const record = versions.get(entry.record)
    if (record !== undefined && isWrittenOn(entry, record)) await store.put({ ...entry, tag: record.version })
  }
  await putAmended(store, amended)
}

function isWrittenOn({ body, base }: Entry, { fields, name }: LocalRecord): boolean {
  const now: Readonly<Record<string, unknown>> = { ...fields, name }
  return base !== null && Object.keys(body).every((field) => sameValue(base[field], now[field]))
}

/** Derives stays from the logs until the server sends its own. */
async function moveAssets(
  transaction: OutboxAndCopyTransaction,
  logs: readonly LocalRecord[],
  gone: readonly string[],
): Promise<string[]> {
  const movedAssets = new Set<string>()
  const store = transaction.objectStore('stay')
  for (const kind of ['movement', 'membership'] as const)
    for (const [id, log] of [
      ...logs.map((one) => [one.id, one] as const),
      ...gone.map((one) => [one, null] as const),
    ]) {
      const moves = new Map(log === null ? [] : movesBy(log, kind))
      for (const asset of new Set([...moves.keys(), ...assetsMovedBy(id)])) {
        const move = moves.get(asset)
        const before = (await store.get([kind, asset]))?.stays ?? []
        const stays = staysWith(asset, before, { moves: move === undefined ? [] : [move], without: new Set([id]) })
        await store.put({ kind, asset, stays })
        movedAssets.add(asset)
      }
    }
  return [...movedAssets]
}

/** Marks a photo as sent; its bytes are kept as long as sent entries are. */
export function acknowledgePhoto(
  database: CopyDatabase,
  uuid: string,
  { changeSet, amended = [] }: Pick<Acknowledgement, 'changeSet' | 'amended'>,
): Promise<void> {
  return writeOutbox(database, async (transaction) => {
    const photos = transaction.objectStore('photo')
    const photo = await photos.get(uuid)
    if (photo !== undefined) await photos.put({ ...photo, state: 'sent', problem: null, sentAt: Date.now(), changeSet })
    await putAmended(transaction.objectStore('outbox'), amended)
  })
}
