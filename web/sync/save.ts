import { enqueue } from '../store/enqueue.ts'
import { memory } from '../store/memory.ts'
import type { LocalChange, NewPhoto, SavedSet } from '../store/outbox-entry.ts'
import { undoSet } from '../store/undo.ts'
import { newUuid } from '../store/uuid.ts'
import { smallPhoto } from './photos.ts'
import { sendSoon } from './send-state.ts'
import { withFreeSpace } from './storage-quota.ts'

export type { LocalChange, NewPhoto, SavedSet }

export interface SaveOptions {
  readonly photos?: readonly NewPhoto[]
  /** The draft that this was until now. */
  readonly draft?: string | undefined
}

/** Writes changes down to be sent, all of them or none: once it resolves they outlast the browser, and are seen on every screen. */
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

/** What was never on the wire is as if it had not been said; the rest is taken back on the server, too. */
export async function undo({ set }: SavedSet): Promise<void> {
  await undoSet(copyHere(), set)
  sendSoon()
}

/** A photo that this browser cannot read goes as it is: what was written does not wait for it. */
async function readyToSend(photo: NewPhoto): Promise<NewPhoto> {
  if (photo.field !== 'images') return photo
  return { ...photo, file: await smallPhoto(photo.file).catch(() => photo.file) }
}

function copyHere() {
  if (memory.database === null) throw new Error('Nobody is here to save anything.')
  return memory.database
}
