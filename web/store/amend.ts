import type { CopyDatabase } from './database.ts'
import type { Entry, PhotoEntry } from './entry.ts'
import { writeOutbox } from './write-outbox.ts'

/** Before entries go over the wire: from now on nobody edits them. Gives them as they are; what was taken back meanwhile is left out. */
export function freeze(database: CopyDatabase, ns: readonly number[]): Promise<Entry[]> {
  return writeOutbox(database, async (writing) => {
    const found = await Promise.all(ns.map((n) => writing.objectStore('outbox').get(n)))
    const result = found
      .filter((entry) => entry !== undefined)
      .map((entry) => ({ ...entry, state: 'frozen' as const, tries: entry.tries + 1 }))
    for (const entry of result) await writing.objectStore('outbox').put(entry)
    return result
  })
}

/** A function is asked when nobody else can change the entry any more. */
export type Amendment = readonly [n: number, change: Partial<Entry> | ((entry: Entry) => Partial<Entry>)]

export function amend(database: CopyDatabase, ...amendments: readonly Amendment[]): Promise<void> {
  return writeOutbox(database, (writing) => putAmended(writing.objectStore('outbox'), amendments))
}

interface OutboxStore {
  get(n: number): Promise<Entry | undefined>
  put(entry: Entry): Promise<unknown>
}

/** What is not there any more is not amended. */
export async function putAmended(store: OutboxStore, amendments: readonly Amendment[]): Promise<void> {
  for (const [n, change] of amendments) {
    const entry = await store.get(n)
    if (entry !== undefined) await store.put({ ...entry, ...(typeof change === 'function' ? change(entry) : change) })
  }
}

/** By a person alone. With a creation go its photos. */
export function discard(database: CopyDatabase, ns: readonly number[]): Promise<void> {
  return writeOutbox(database, async (writing) => {
    const outbox = writing.objectStore('outbox')
    const entries = (await Promise.all(ns.map((n) => outbox.get(n)))).filter((entry) => entry !== undefined)
    const made = new Set(entries.filter(({ method }) => method === 'POST').map(({ record }) => record))
    for (const { n } of entries) await outbox.delete(n)
    for (const { uuid, record, state } of await writing.objectStore('photo').getAll())
      if (made.has(record) && state !== 'sent') await writing.objectStore('photo').delete(uuid)
  })
}

export function amendPhoto(database: CopyDatabase, uuid: string, change: Partial<PhotoEntry>): Promise<void> {
  return writeOutbox(database, async (writing) => {
    const photo = await writing.objectStore('photo').get(uuid)
    if (photo !== undefined) await writing.objectStore('photo').put({ ...photo, ...change })
  })
}

/** By a person alone. */
export function discardPhotos(database: CopyDatabase, uuids: readonly string[]): Promise<void> {
  return writeOutbox(database, async (writing) => {
    for (const uuid of uuids) await writing.objectStore('photo').delete(uuid)
  })
}
