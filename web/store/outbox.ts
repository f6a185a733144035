import type { ReadonlySignal } from '@preact/signals'
import type { CopyDatabase } from './database.ts'
import type { Entry, PhotoEntry, PhotoWaiting, SentEntry } from './entry.ts'
import { memory } from './memory.ts'

/** What waits to be sent or needs a person, in order. */
export const outbox: ReadonlySignal<readonly Entry[]> = memory.outbox

/** Photos that wait or need a person, in order, without their bytes. */
export const photosWaiting: ReadonlySignal<readonly PhotoWaiting[]> = memory.photos

const day = 86_400_000
const keptDays = 30

/** What the server has acknowledged in the last days, the latest first. */
export async function sentOf(days: number): Promise<readonly SentEntry[]> {
  const all = (await memory.database?.getAll('sent')) ?? []
  return all.filter(({ sentAt }) => sentAt >= Date.now() - days * day).sort((one, other) => other.sentAt - one.sentAt)
}

/** How many photos the server has acknowledged in the last days. */
export async function photosSentOf(days: number): Promise<number> {
  const all = (await memory.database?.getAll('photo')) ?? []
  return all.filter(({ sentAt = 0 }) => sentAt >= Date.now() - days * day).length
}

/** By a person alone, who wants nothing to be left on the device. */
export async function discardAll(database: CopyDatabase): Promise<void> {
  const transaction = database.transaction(['outbox', 'photo', 'draft'], 'readwrite')
  for (const name of ['outbox', 'photo', 'draft'] as const) await transaction.objectStore(name).clear()
  await transaction.done
}

/** Whatever was sent is kept for thirty days, so that it can be sent again after a backup was restored. */
export async function forgetSent(database: CopyDatabase): Promise<void> {
  const before = Date.now() - keptDays * day
  const transaction = database.transaction(['sent', 'photo'], 'readwrite')
  const isOld = ({ sentAt }: { readonly sentAt?: number }) => sentAt !== undefined && sentAt < before
  const [sent, photos] = [transaction.objectStore('sent'), transaction.objectStore('photo')]
  for (const { n } of (await sent.getAll()).filter(isOld)) await sent.delete(n)
  for (const { uuid } of (await photos.getAll()).filter(isOld)) await photos.delete(uuid)
  await transaction.done
}

/** The same of any copy that is open, shown or not. */
export async function entriesOf(database: CopyDatabase): Promise<readonly Entry[]> {
  return database.getAll('outbox')
}

export async function photosOf(database: CopyDatabase): Promise<readonly PhotoWaiting[]> {
  const photos = await database.getAll('photo')
  return photos
    .filter(({ state }) => state !== 'sent')
    .map(withoutBytes)
    .sort((one, other) => one.at - other.at)
}

/** As people count: what was saved at once is one. */
export async function countUnsent(database: CopyDatabase): Promise<number> {
  return new Set([...(await entriesOf(database)), ...(await photosOf(database))].map(({ set }) => set)).size
}

export async function photoBytes(database: CopyDatabase, uuid: string): Promise<Blob | undefined> {
  return (await database.get('photo', uuid))?.bytes
}

const withoutBytes = ({ bytes: _, ...photo }: PhotoEntry): PhotoWaiting => photo
