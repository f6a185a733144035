import { notOlder } from './commit.ts'
import type { CopyDatabase } from './database.ts'
import { sameValue } from './field-values.ts'
import { memory } from './memory.ts'
import { type Amendment, type OutboxAndCopyTransaction, putAmended, writeOutbox, writeOutboxAndCopy } from './outbox.ts'
import type { Entry } from './outbox-entry.ts'
import { type KeptRecord, rowOf } from './record.ts'
import { assetsMovedBy, movesBy, staysWith } from './stays.ts'

export interface Acknowledgement {
  /** Positions of the acknowledged entries. */
  readonly entries: readonly number[]
  /** Records as the server has them now, and UUIDs of removed ones. */
  readonly kept: readonly KeptRecord[]
  readonly removed: readonly string[]
  readonly changeSet: string | null
  readonly amended?: readonly Amendment[]
}

/** Moves acknowledged entries from `outbox` to `sent` and their records into the local copy, in one transaction. */
export function acknowledge(database: CopyDatabase, settlement: Acknowledgement): Promise<void> {
  return writeOutboxAndCopy(database, async (writing) => {
    const { removed } = settlement
    const records = writing.objectStore('record')
    const kept = await notOlder(settlement.kept, (uuid) => records.get(uuid))
    const goneIds = await Promise.all(removed.map(async (uuid) => (await records.get(uuid))?.id))
    await moveToSent(writing, settlement)
    await rebaseLater(writing, settlement)
    for (const record of kept) await records.put(rowOf(record))
    for (const uuid of removed) await records.delete(uuid)
    const gone = goneIds.filter((id) => id !== undefined)
    const assetsMoved = await moveAssets(
      writing,
      kept.filter(({ type }) => type === 'log'),
      gone,
    )
    return { uuids: [...kept.map(({ uuid }) => uuid), ...removed], assetsMoved }
  })
}

async function moveToSent(
  writing: OutboxAndCopyTransaction,
  { entries, kept, changeSet }: Acknowledgement,
): Promise<void> {
  const edition = kept[0]?.version.split('.')[1] ?? memory.me.peek()?.edition ?? null
  for (const n of entries) {
    const entry = await writing.objectStore('outbox').get(n)
    if (entry === undefined) continue
    await writing.objectStore('outbox').delete(n)
    await writing.objectStore('sent').put({ n, set: entry.set, changeSet, edition, sentAt: Date.now(), entry })
  }
}

/** Rebases later entries of the same record onto the version that the server just confirmed. */
async function rebaseLater(writing: OutboxAndCopyTransaction, { kept, amended = [] }: Acknowledgement): Promise<void> {
  const store = writing.objectStore('outbox')
  const versions = new Map(kept.map((record) => [record.uuid, record]))
  for (const entry of await store.getAll()) {
    const record = versions.get(entry.record)
    if (record !== undefined && isWrittenOn(entry, record)) await store.put({ ...entry, tag: record.version })
  }
  await putAmended(store, amended)
}

function isWrittenOn({ body, base }: Entry, { fields, name }: KeptRecord): boolean {
  const now: Readonly<Record<string, unknown>> = { ...fields, name }
  return base !== null && Object.keys(body).every((field) => sameValue(base[field], now[field]))
}

/** Derives stays from the logs until the server sends its own. */
async function moveAssets(
  writing: OutboxAndCopyTransaction,
  logs: readonly KeptRecord[],
  gone: readonly string[],
): Promise<string[]> {
  const touched = new Set<string>()
  const store = writing.objectStore('stay')
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
        touched.add(asset)
      }
    }
  return [...touched]
}

/** Marks a photo as sent; its bytes are kept as long as sent entries are. */
export function acknowledgePhoto(
  database: CopyDatabase,
  uuid: string,
  { changeSet, amended = [] }: Pick<Acknowledgement, 'changeSet' | 'amended'>,
): Promise<void> {
  return writeOutbox(database, async (writing) => {
    const photos = writing.objectStore('photo')
    const photo = await photos.get(uuid)
    if (photo !== undefined) await photos.put({ ...photo, state: 'sent', problem: null, sentAt: Date.now(), changeSet })
    await putAmended(writing.objectStore('outbox'), amended)
  })
}
