import { batch, type ReadonlySignal } from '@preact/signals'
import type { IDBPTransaction, StoreNames } from 'idb'
import { type CopyUpdate, readUpdate } from './commit.ts'
import type { CopyDatabase, CopySchema } from './database.ts'
import { memory } from './memory.ts'
import type { Entry, PhotoEntry, SentEntry, WaitingPhoto } from './outbox-entry.ts'
import { isInOutbox, showOutbox } from './overlay.ts'
import { recordOf } from './record.ts'
import { tellTabs } from './tab-channel.ts'

/** The queue: entries that wait to be sent or need the user, in order. */
export const outbox: ReadonlySignal<readonly Entry[]> = memory.outbox

/** Photos that wait or need the user, in order, without their bytes. */
export const photosWaiting: ReadonlySignal<readonly WaitingPhoto[]> = memory.photos

const day = 86_400_000
const keptDays = 30

/** Entries acknowledged in the last days, the latest first. */
export async function sentOf(days: number): Promise<readonly SentEntry[]> {
  const all = (await memory.database?.getAll('sent')) ?? []
  return all.filter(({ sentAt }) => sentAt >= Date.now() - days * day).sort((one, other) => other.sentAt - one.sentAt)
}

/** Number of photos acknowledged in the last days. */
export async function photosSentOf(days: number): Promise<number> {
  const all = (await memory.database?.getAll('photo')) ?? []
  return all.filter(({ sentAt = 0 }) => sentAt >= Date.now() - days * day).length
}

/** Clears everything unsent. Only the user may ask for it. */
export async function discardAll(database: CopyDatabase): Promise<void> {
  const transaction = database.transaction(['outbox', 'photo', 'draft'], 'readwrite')
  for (const name of ['outbox', 'photo', 'draft'] as const) await transaction.objectStore(name).clear()
  await transaction.done
}

/** Sent entries are kept for thirty days, so that they can be sent again after a backup was restored. */
export async function forgetSent(database: CopyDatabase): Promise<void> {
  const before = Date.now() - keptDays * day
  const transaction = database.transaction(['sent', 'photo'], 'readwrite')
  const isOld = ({ sentAt }: { readonly sentAt?: number }) => sentAt !== undefined && sentAt < before
  const [sent, photos] = [transaction.objectStore('sent'), transaction.objectStore('photo')]
  for (const { n } of (await sent.getAll()).filter(isOld)) await sent.delete(n)
  for (const { uuid } of (await photos.getAll()).filter(isOld)) await photos.delete(uuid)
  await transaction.done
}

/** Reads the queue of any open database, shown or not. */
export async function entriesOf(database: CopyDatabase): Promise<readonly Entry[]> {
  return database.getAll('outbox')
}

export async function photosOf(database: CopyDatabase): Promise<readonly WaitingPhoto[]> {
  const photos = await database.getAll('photo')
  return photos
    .filter(({ state }) => state !== 'sent')
    .map(withoutBytes)
    .sort((one, other) => one.at - other.at)
}

/** Counts sets: everything saved at once is one. */
export async function countUnsent(database: CopyDatabase): Promise<number> {
  return new Set([...(await entriesOf(database)), ...(await photosOf(database))].map(({ set }) => set)).size
}

export async function photoBytes(database: CopyDatabase, uuid: string): Promise<Blob | undefined> {
  return (await database.get('photo', uuid))?.bytes
}

const withoutBytes = ({ bytes: _, ...photo }: PhotoEntry): WaitingPhoto => photo

let [readingEntries, readingPhotos] = [0, 0]

/** Shows the queue together with what the same transaction wrote to the copy. */
export async function readOutbox(update: CopyUpdate, entries?: readonly Entry[]): Promise<void> {
  const { database } = memory
  if (database === null) return
  const [showUpdate, showWaiting] = await Promise.all([
    readUpdate(database, update),
    readUnsent(database, { isNew: (uuid) => !isInOutbox(uuid), entries }),
  ])
  if (memory.database !== database) return
  batch(() => {
    showUpdate()
    showWaiting()
  })
}

interface ReadOptions {
  /** Selects the logs to read; known ones are not read again. */
  readonly isNew?: (uuid: string) => boolean
  /** The entries as just written, to save reading hundreds of them again. */
  readonly entries?: readonly Entry[] | undefined
}

/** Reads the queue; the returned function shows it unless a later read has started. */
export async function readUnsent(database: CopyDatabase, reading: ReadOptions = {}): Promise<() => void> {
  const { isNew = () => true } = reading
  readingEntries += 1
  if (reading.entries === undefined) readingPhotos += 1
  const [entriesNow, photosNow] = [readingEntries, readingPhotos]
  const [entries, photos] = await Promise.all([
    reading.entries ?? entriesOf(database),
    reading.entries === undefined ? photosOf(database) : null,
  ])
  const uuids = new Set(
    entries.filter(({ type, record }) => type === 'log' && isNew(record)).map(({ record }) => record),
  )
  const rows = await Promise.all([...uuids].map((uuid) => database.get('record', uuid)))
  return () => {
    if (photos !== null && photosNow === readingPhotos) memory.photos.value = photos
    if (entriesNow !== readingEntries) return
    showOutbox(entries, rows.filter((row) => row !== undefined).map(recordOf))
  }
}

type OutboxStore = 'outbox' | 'photo' | 'sent' | 'record' | 'draft'
type Stores = StoreNames<CopySchema>

export type OutboxTransaction<Store extends Stores = OutboxStore> = IDBPTransaction<CopySchema, Store[], 'readwrite'>
export type OutboxAndCopyTransaction = OutboxTransaction<OutboxStore | 'stay'>

const outboxStores: readonly OutboxStore[] = ['outbox', 'photo', 'sent', 'record', 'draft']

/** Writes in one durable transaction, then shows the result here and in the other tabs. */
export function writeOutbox<T>(
  database: CopyDatabase,
  work: (transaction: OutboxTransaction) => Promise<T>,
): Promise<T> {
  return writeStores(database, [...outboxStores], async (transaction) => ({ result: await work(transaction) }))
}

/** Like `writeOutbox`, for work that returns all entries and changes no photos. */
export function writeEntries(
  database: CopyDatabase,
  work: (transaction: OutboxTransaction) => Promise<readonly Entry[]>,
): Promise<void> {
  return writeStores(database, [...outboxStores], async (transaction) => ({
    result: undefined,
    entries: await work(transaction),
  }))
}

/** Like `writeOutbox`, also for the stays of the copy. */
export function writeOutboxAndCopy(
  database: CopyDatabase,
  work: (transaction: OutboxAndCopyTransaction) => Promise<CopyUpdate>,
): Promise<void> {
  return writeStores(database, [...outboxStores, 'stay'], async (transaction) => ({
    result: undefined,
    update: await work(transaction),
  }))
}

interface WriteResult<T> {
  readonly result: T
  readonly update?: CopyUpdate
  readonly entries?: readonly Entry[]
}

async function writeStores<T, Store extends Stores>(
  database: CopyDatabase,
  stores: Store[],
  work: (transaction: OutboxTransaction<Store>) => Promise<WriteResult<T>>,
): Promise<T> {
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' })
  const { result, update = { uuids: [], assetsMoved: [] }, entries } = await orNothing(transaction, work)
  if (memory.database === database) await readOutbox(update, entries)
  tellTabs({ kind: 'outbox', ...update })
  return result
}

async function orNothing<T, Store extends Stores>(
  transaction: OutboxTransaction<Store>,
  work: (transaction: OutboxTransaction<Store>) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(transaction)
    await transaction.done
    return result
  } catch (error) {
    transaction.done.catch(() => {})
    try {
      transaction.abort()
    } catch {
      // The transaction has aborted itself: one of its writes failed.
    }
    throw error
  }
}

/** Marks entries as on the wire: from now on nobody edits them. Returns those that are still in the queue. */
export function freeze(database: CopyDatabase, ns: readonly number[]): Promise<Entry[]> {
  return writeOutbox(database, async (transaction) => {
    const found = await Promise.all(ns.map((n) => transaction.objectStore('outbox').get(n)))
    const result = found
      .filter((entry) => entry !== undefined)
      .map((entry) => ({ ...entry, state: 'frozen' as const, tries: entry.tries + 1 }))
    for (const entry of result) await transaction.objectStore('outbox').put(entry)
    return result
  })
}

/** A function is called inside the transaction. */
export type Amendment = readonly [n: number, change: Partial<Entry> | ((entry: Entry) => Partial<Entry>)]

export function amendEntries(database: CopyDatabase, ...amendments: readonly Amendment[]): Promise<void> {
  return writeOutbox(database, (transaction) => putAmended(transaction.objectStore('outbox'), amendments))
}

interface EntryStore {
  get(n: number): Promise<Entry | undefined>
  put(entry: Entry): Promise<unknown>
}

/** Skips entries that are gone. */
export async function putAmended(store: EntryStore, amendments: readonly Amendment[]): Promise<void> {
  for (const [n, change] of amendments) {
    const entry = await store.get(n)
    if (entry !== undefined) await store.put({ ...entry, ...(typeof change === 'function' ? change(entry) : change) })
  }
}

/** Removes entries, and the photos of a creation. Only the user may ask for it. */
export function discardEntries(database: CopyDatabase, ns: readonly number[]): Promise<void> {
  return writeOutbox(database, async (transaction) => {
    const outbox = transaction.objectStore('outbox')
    const entries = (await Promise.all(ns.map((n) => outbox.get(n)))).filter((entry) => entry !== undefined)
    const made = new Set(entries.filter(({ method }) => method === 'POST').map(({ record }) => record))
    for (const { n } of entries) await outbox.delete(n)
    for (const { uuid, record, state } of await transaction.objectStore('photo').getAll())
      if (made.has(record) && state !== 'sent') await transaction.objectStore('photo').delete(uuid)
  })
}

export function amendPhoto(database: CopyDatabase, uuid: string, change: Partial<PhotoEntry>): Promise<void> {
  return writeOutbox(database, async (transaction) => {
    const photo = await transaction.objectStore('photo').get(uuid)
    if (photo !== undefined) await transaction.objectStore('photo').put({ ...photo, ...change })
  })
}

/** Only the user may ask for it. */
export function discardPhotos(database: CopyDatabase, uuids: readonly string[]): Promise<void> {
  return writeOutbox(database, async (transaction) => {
    for (const uuid of uuids) await transaction.objectStore('photo').delete(uuid)
  })
}
