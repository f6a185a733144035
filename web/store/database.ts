import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import type { Entry, PhotoEntry, SentEntry } from './outbox-entry.ts'
import type { CatalogueDocument, CopyRow, LocalStay, LocalStayKind, Me } from './record.ts'

/** All stays of one kind of an asset, in time order. */
export interface AssetStaysRow {
  readonly kind: LocalStayKind
  readonly asset: string
  readonly stays: readonly LocalStay[]
}

type ByKey = { key: string; value: unknown }

export interface CopySchema extends DBSchema {
  record: {
    key: string
    value: CopyRow
    indexes: {
      id: [string, string]
      bundle: [string, string, number, number]
      time: [string, number, number]
      ref: [string, number, number]
    }
  }
  stay: { key: [LocalStayKind, string]; value: AssetStaysRow }
  /** Unsent changes, sent changes and drafts: no load clears them. */
  outbox: { key: number; value: Entry }
  photo: { key: string; value: PhotoEntry }
  sent: { key: number; value: SentEntry }
  draft: ByKey
  meta: ByKey
}

export type CopyDatabase = IDBPDatabase<CopySchema>

const databaseVersion = 2

export const databaseName = (farm: string, uid: string) => `furrow-${farm}-${uid}`

export function openDatabase(name: string): Promise<CopyDatabase> {
  return openDB<CopySchema>(name, databaseVersion, {
    upgrade(database, from) {
      if (from < 1) makeStores(database)
      if (from < 2) makeOutbox(database)
    },
    // A newer version of the app, or the removal of the farm, waits until this tab closes the database.
    blocking: (_current, wanted, event) => {
      ;(event.target as IDBDatabase).close()
      if (wanted !== null) location.reload()
    },
  })
}

export function removeDatabase(name: string): Promise<void> {
  return deleteDB(name)
}

function makeStores(database: CopyDatabase): void {
  const record = database.createObjectStore('record', { keyPath: 'uuid' })
  record.createIndex('id', ['type', 'id'])
  record.createIndex('bundle', ['type', 'bundle', 'minusTime', 'minusId'])
  record.createIndex('time', ['type', 'minusTime', 'minusId'])
  record.createIndex('ref', 'refs', { multiEntry: true })
  database.createObjectStore('stay', { keyPath: ['kind', 'asset'] })
  for (const name of ['draft', 'meta'] as const) database.createObjectStore(name)
}

/** Version 1 had these stores without keys, always empty. */
function makeOutbox(database: CopyDatabase): void {
  for (const name of ['outbox', 'photo', 'sent'] as const)
    if (database.objectStoreNames.contains(name)) database.deleteObjectStore(name)
  database.createObjectStore('outbox', { keyPath: 'n', autoIncrement: true })
  database.createObjectStore('photo', { keyPath: 'uuid' })
  database.createObjectStore('sent', { keyPath: 'n' })
}

export type LockReason = 'session-ended' | 'away-too-long' | 'logged-out'

/** Progress of one walk of the first load. */
export interface WalkState {
  readonly behind: string | null
  readonly done: boolean
}

export interface LoadState {
  /** Start of the feed after the load. */
  readonly cursor: string
  readonly edition: string
  readonly catalogue: string
  /** Unix seconds: start of the kept done logs. */
  readonly since: number
  readonly walks: Readonly<Record<string, WalkState>>
}

/** State of the copy. */
export interface Meta {
  /** Without the CSRF token, which is never stored. */
  readonly me: Me
  readonly catalogue: CatalogueDocument
  readonly people: readonly (readonly [uid: string, name: string])[]
  /** The first load, until it is complete. */
  readonly load: LoadState
  /** Cursor of the feed, after the first load. */
  readonly cursor: string
  /**
   * The copy is from before a restore, or of another catalogue: it is shown until the first answer of the next load.
   */
  readonly reload: true
  /** The server was restored from a backup: sent entries may be missing there. */
  readonly doubted: true
  /** Assets whose stays, or inventory, must be requested again. */
  readonly staysWanted: readonly string[] | 'all'
  readonly inventoriesWanted: readonly string[]
  /** Unix seconds of the last check: done logs that have become due since then may move assets. */
  readonly staysAt: number
  /** Milliseconds: last answer of the server to this account, and the time of the copy. */
  readonly contact: number
  readonly copyOf: number
  readonly locked: LockReason
  /** Milliseconds by which the device's clock was ahead of the farm's at the last contact. */
  readonly clockAhead: number
  /** Days of done logs to keep; reduced if the device is full. */
  readonly keptDays: number
  /** Recent choices, the latest first. */
  readonly used: Readonly<Record<string, readonly string[]>>
  /** Milliseconds: when the device was full. */
  readonly fullAt: number
}

export type MetaChange = { readonly [Name in keyof Meta]?: Meta[Name] | null }

export async function readMeta<Name extends keyof Meta>(
  database: CopyDatabase,
  name: Name,
): Promise<Meta[Name] | undefined> {
  return (await database.get('meta', name)) as Meta[Name] | undefined
}

export async function writeMeta(database: CopyDatabase, change: MetaChange): Promise<void> {
  const transaction = database.transaction('meta', 'readwrite', { durability: 'relaxed' })
  await Promise.allSettled(putMeta(transaction.store, change))
  await transaction.done
}

interface MetaStore {
  put(value: unknown, key: string): Promise<unknown>
  delete(key: string): Promise<void>
}

/** Null deletes a key. */
export function putMeta(store: MetaStore, change: MetaChange): Promise<unknown>[] {
  return Object.entries(change).map(([name, value]) => (value === null ? store.delete(name) : store.put(value, name)))
}
