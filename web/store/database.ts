import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import type { Entry, PhotoEntry, SentEntry } from './entry.ts'
import type { Row } from './row.ts'
import type { Stay, StayKind } from './types.ts'

/** All stays of one asset of one kind, in the order of time. */
export interface StayRow {
  readonly kind: StayKind
  readonly asset: string
  readonly stays: readonly Stay[]
}

type ByKey = { key: string; value: unknown }

export interface CopySchema extends DBSchema {
  record: {
    key: string
    value: Row
    indexes: {
      id: [string, string]
      bundle: [string, string, number, number]
      time: [string, number, number]
      ref: [string, number, number]
    }
  }
  stay: { key: [StayKind, string]; value: StayRow }
  /** What waits to be sent, what was sent and what is being written: no load ever clears it. */
  outbox: { key: number; value: Entry }
  photo: { key: string; value: PhotoEntry }
  sent: { key: number; value: SentEntry }
  draft: ByKey
  meta: ByKey
}

export type CopyDatabase = IDBPDatabase<CopySchema>

const databaseVersion = 2

/** One database per farm and account. */
export const databaseName = (farm: string, uid: string) => `furrow-${farm}-${uid}`

export function openDatabase(name: string): Promise<CopyDatabase> {
  return openDB<CopySchema>(name, databaseVersion, {
    upgrade(database, from) {
      if (from < 1) makeStores(database)
      if (from < 2) makeOutbox(database)
    },
    // A newer version of the app, or the removal of the farm, waits for this tab to let go.
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

/** Version 1 had these stores, without keys of their own, and nothing was ever put into them. */
function makeOutbox(database: CopyDatabase): void {
  for (const name of ['outbox', 'photo', 'sent'] as const)
    if (database.objectStoreNames.contains(name)) database.deleteObjectStore(name)
  database.createObjectStore('outbox', { keyPath: 'n', autoIncrement: true })
  database.createObjectStore('photo', { keyPath: 'uuid' })
  database.createObjectStore('sent', { keyPath: 'n' })
}
