import type { Change, NewPhoto, Saved } from '../store/change.ts'
import { enqueue } from '../store/enqueue.ts'
import { memory } from '../store/memory.ts'
import { takeBack } from '../store/take-back.ts'
import { newUuid } from '../store/uuid.ts'
import { smallPhoto } from './photo.ts'
import { withRoom } from './room.ts'
import { sendSoon } from './sending.ts'

export type { Change, NewPhoto, Saved }

export interface SaveOptions {
  readonly photos?: readonly NewPhoto[]
  /** The draft that this was until now. */
  readonly draft?: string | undefined
}

/** Writes changes down to be sent, all of them or none: once it resolves they outlast the browser, and are seen on every screen. */
export async function save(changes: readonly Change[], { photos = [], draft }: SaveOptions = {}): Promise<Saved> {
  const set = newUuid()
  const small = await Promise.all(photos.map(readyToSend))
  const database = copyHere()
  await withRoom({ database }, () => enqueue(database, { set, changes, photos: small, draft }))
  sendSoon()
  return { set, changes }
}

/** What was never on the wire is as if it had not been said; the rest is taken back on the server, too. */
export async function undo({ set }: Saved): Promise<void> {
  await takeBack(copyHere(), set)
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
