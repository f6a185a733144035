import { newUuid } from '../../src/client/changes.ts'
import { enqueue } from '../store/enqueue.ts'
import { memory } from '../store/memory.ts'
import type { LocalChange, NewPhoto, SavedSet } from '../store/outbox-entry.ts'
import { undoSet } from '../store/undo.ts'
import { smallPhoto } from './photos.ts'
import { sendSoon } from './send-state.ts'
import { withFreeSpace } from './storage-quota.ts'

export type { LocalChange, NewPhoto, SavedSet }

interface SaveOptions {
  readonly photos?: readonly NewPhoto[]
  /** Key of the draft. */
  readonly draft?: string | undefined
}

/** Queues changes, all of them or none. When it resolves they are durable and visible on every screen. */
export async function save(
  changes: readonly LocalChange[],
  { photos = [], draft }: SaveOptions = {},
): Promise<SavedSet> {
  const set = newUuid()
  const small = await Promise.all(photos.map(readyToSend))
  const database = copyHere()
  await withFreeSpace({ database }, () => enqueue(database, { set, changes, photos: small, draft }))
  sendSoon()
  return { set, changes }
}

/** Drops what was never on the wire; undoes the rest on the server. */
export async function undo({ set }: SavedSet): Promise<void> {
  await undoSet(copyHere(), set)
  sendSoon()
}

/** A photo that this browser cannot read is sent unchanged. */
async function readyToSend(photo: NewPhoto): Promise<NewPhoto> {
  if (photo.field !== 'images') return photo
  return { ...photo, file: await smallPhoto(photo.file).catch(() => photo.file) }
}

function copyHere() {
  if (memory.database === null) throw new Error('Nobody is here to save anything.')
  return memory.database
}
