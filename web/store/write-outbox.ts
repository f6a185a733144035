import type { IDBPTransaction, StoreNames } from 'idb'
import { tellTabs } from './channel.ts'
import type { Told } from './commit.ts'
import type { CopyDatabase, CopySchema } from './database.ts'
import type { Entry } from './entry.ts'
import { memory } from './memory.ts'
import { readOutbox } from './read-outbox.ts'

type OutboxStore = 'outbox' | 'photo' | 'sent' | 'record' | 'draft'
type Stores = StoreNames<CopySchema>

export type Writing<Store extends Stores = OutboxStore> = IDBPTransaction<CopySchema, Store[], 'readwrite'>
export type WritingCopyToo = Writing<OutboxStore | 'stay'>

const outboxStores: readonly OutboxStore[] = ['outbox', 'photo', 'sent', 'record', 'draft']

/** Writes all of it or nothing, so that it outlasts the device; then it is shown, here and in the other tabs. */
export function writeOutbox<T>(database: CopyDatabase, work: (writing: Writing) => Promise<T>): Promise<T> {
  return written(database, [...outboxStores], async (writing) => ({ result: await work(writing) }))
}

/** The same, where the work knows all entries that there are then, and has changed no photos. */
export function writeEntries(
  database: CopyDatabase,
  work: (writing: Writing) => Promise<readonly Entry[]>,
): Promise<void> {
  return written(database, [...outboxStores], async (writing) => ({ result: undefined, entries: await work(writing) }))
}

/** The same, together with what the server has told. */
export function writeOutboxAndCopy(
  database: CopyDatabase,
  work: (writing: WritingCopyToo) => Promise<Told>,
): Promise<void> {
  return written(database, [...outboxStores, 'stay'], async (writing) => ({
    result: undefined,
    told: await work(writing),
  }))
}

interface Written<T> {
  readonly result: T
  readonly told?: Told
  readonly entries?: readonly Entry[]
}

async function written<T, Store extends Stores>(
  database: CopyDatabase,
  stores: Store[],
  work: (writing: Writing<Store>) => Promise<Written<T>>,
): Promise<T> {
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' })
  const { result, told = { uuids: [], assetsMoved: [] }, entries } = await orNothing(transaction, work)
  if (memory.database === database) await readOutbox(told, entries)
  tellTabs({ kind: 'outbox', ...told })
  return result
}

async function orNothing<T, Store extends Stores>(
  transaction: Writing<Store>,
  work: (writing: Writing<Store>) => Promise<T>,
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
      // It has ended by itself: what went wrong was one of its writes.
    }
    throw error
  }
}
