import { unwrap, wrap } from 'idb'
import { type AssetStaysRow, type CopyDatabase, type MetaChange, putMeta } from './database.ts'
import { memory } from './memory.ts'
import { showChange } from './overlay.ts'
import { type CopyRow, isArchived, type LocalRecord, pendingRef, recordOf, rowOf } from './record.ts'
import { showStays } from './stays.ts'
import { tellTabs } from './tab-channel.ts'

export interface Commit {
  readonly kept?: readonly LocalRecord[]
  /** Records of the first load. The feed is read after it, so their versions are not compared. */
  readonly loaded?: readonly LocalRecord[]
  /** UUIDs. */
  readonly removed?: readonly string[]
  readonly stays?: readonly AssetStaysRow[]
  readonly meta?: MetaChange
}

/** Writes all or nothing, then shows it here and in the other tabs. */
export async function commit(database: CopyDatabase, change: Commit): Promise<void> {
  const { loaded = [], removed = [], stays = [], meta = {} } = change
  const transaction = database.transaction(['record', 'stay', 'meta'], 'readwrite', { durability: 'relaxed' })
  const records = transaction.objectStore('record')
  const kept = [...loaded, ...(await notOlder(change.kept ?? [], (uuid) => records.get(uuid)))]
  const write = async () => {
    const [recordStore, stayStore] = [unwrap(records), unwrap(transaction.objectStore('stay'))]
    await inSlices(kept, (record) => recordStore.put(rowOf(record)))
    await inSlices(removed, (uuid) => recordStore.delete(uuid))
    await inSlices(stays, (row) => stayStore.put(row))
    await Promise.all(putMeta(transaction.objectStore('meta'), meta))
  }
  const [written] = await Promise.allSettled([write(), transaction.done])
  await transaction.done
  if (written.status === 'rejected') throw written.reason
  if (memory.database !== database || (kept.length === 0 && removed.length === 0 && stays.length === 0)) return
  showStays(stays)
  showChange({ kept, removed })
  tellTabs({
    kind: 'committed',
    uuids: [...kept.map(({ uuid }) => uuid), ...removed],
    assetsMoved: stays.map(({ asset }) => asset),
  })
}

/** Rows per task: a thousand hold up the page for a fifth of a second. */
const atOnce = 100

/** Without a promise for each request, which costs a fifth more: the transaction reports a failure. */
async function inSlices<T>(items: readonly T[], write: (item: T) => IDBRequest): Promise<void> {
  for (let first = 0; first < items.length; first += atOnce) {
    const last = items
      .slice(first, first + atOnce)
      .map(write)
      .at(-1)
    if (last !== undefined) await wrap(last)
  }
}

/**
 * Keeps later revisions: answers may overtake each other. Inventories and older withholding are kept, since the feed does not contain them.
 */
export async function notOlder(
  records: readonly LocalRecord[],
  keptNow: (uuid: string) => Promise<CopyRow | undefined>,
): Promise<LocalRecord[]> {
  const known = await Promise.all(records.map(({ uuid }) => keptNow(uuid)))
  return records.flatMap((record, index) => {
    const before = known[index]
    if (before === undefined) return [record]
    if (revisionOf(before) > revisionOf(record) && editionOf(before) === editionOf(record)) return []
    return [withComputedOf(before, record)]
  })
}

const withComputedOf = ({ fields: { inventory, withheld } }: LocalRecord, record: LocalRecord): LocalRecord =>
  record.type !== 'asset' || isArchived(record)
    ? record
    : { ...record, fields: { inventory, withheld, ...record.fields } }

const revisionOf = ({ version }: LocalRecord) => Number(version.split('.')[0])
const editionOf = ({ version }: LocalRecord) => version.split('.')[1]

/** Written records and stays. */
export interface CopyUpdate {
  /** UUIDs of records. */
  readonly uuids: readonly string[]
  readonly assetsMoved: readonly string[]
}

/** Reads what another tab has written. */
export async function rereadUpdate(update: CopyUpdate): Promise<void> {
  const { database } = memory
  if (database !== null) (await readUpdate(database, update))()
}

/** Reads an update; the returned function shows it. */
export async function readUpdate(database: CopyDatabase, { uuids, assetsMoved }: CopyUpdate): Promise<() => void> {
  const rows = await Promise.all(uuids.map((uuid) => database.get('record', uuid)))
  const kinds = ['movement', 'membership'] as const
  const stays = await Promise.all(
    kinds.flatMap((kind) => assetsMoved.map((asset) => database.get('stay', [kind, asset]))),
  )
  return () => {
    if (memory.database !== database || (uuids.length === 0 && assetsMoved.length === 0)) return
    showStays(stays.filter((row) => row !== undefined))
    showChange({
      kept: rows.filter((row) => row !== undefined).map(recordOf),
      removed: uuids.filter((_, index) => rows[index] === undefined),
    })
  }
}

/** Removes done logs before a time, and the oldest above a maximum number. */
export async function dropLogs(
  database: CopyDatabase,
  { before, most }: { readonly before: number; readonly most: number },
): Promise<void> {
  const keysOf = (index: 'ref' | 'time', range: IDBKeyRange) => database.getAllKeysFromIndex('record', index, range)
  const pending = new Set(await keysOf('ref', IDBKeyRange.bound([pendingRef], [pendingRef, []])))
  const all = await keysOf('time', IDBKeyRange.bound(['log'], ['log', []]))
  const older = await keysOf('time', IDBKeyRange.bound(['log', -before, 1], ['log', []], true))
  const removed = [...new Set([...older, ...all.slice(most)])].filter((uuid) => !pending.has(uuid))
  if (removed.length > 0) await commit(database, { removed })
}
