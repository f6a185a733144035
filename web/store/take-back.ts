import type { Change } from './change.ts'
import type { CopyDatabase } from './database.ts'
import { knownOf, putSet } from './enqueue.ts'
import type { Entry, PhotoEntry } from './entry.ts'
import { maybeTaken } from './taken.ts'
import { undoingChanges } from './undoing-changes.ts'
import { newUuid } from './uuid.ts'
import { withoutEdit } from './without-edit.ts'
import { type Writing, writeOutbox } from './write-outbox.ts'

/** Takes a set back: what was never on the wire is dropped, and of the rest the contrary is written behind it, as one set. */
export function takeBack(database: CopyDatabase, set: string): Promise<void> {
  return writeOutbox(database, async (writing) => {
    const entries = await writing.objectStore('outbox').getAll()
    const sent = (await writing.objectStore('sent').getAll()).map(({ entry }) => entry)
    const touched = [...sent, ...entries].filter(isOf(set))
    const known = await knownOf(
      writing,
      touched.map(({ record }) => record),
    )
    const stays = (entry: Entry) => maybeTaken(entry) || isReferredTo(entry, entries, set)
    await dropUnsent(
      writing,
      entries.filter((entry) => !stays(entry)),
      set,
    )
    const changes: Change[] = undoingChanges([...sent, ...entries.filter(stays)].filter(isOf(set)), set, known)
    if (changes.length > 0) await putSet(writing, { set: newUuid(), changes, undoes: set }, known)
  })
}

const isOf =
  (set: string) =>
  (entry: Entry): boolean =>
    entry.set === set || entry.edits.some((edit) => edit.set === set)

/** What others have been written on cannot be dropped from under them. */
const isReferredTo = ({ method, record }: Entry, entries: readonly Entry[], set: string) =>
  method === 'POST' && entries.some((other) => other.set !== set && other.after.includes(record))

async function dropUnsent(writing: Writing, entries: readonly Entry[], set: string): Promise<void> {
  const made = new Set(
    entries.filter((entry) => entry.set === set && entry.method === 'POST').map(({ record }) => record),
  )
  const outbox = writing.objectStore('outbox')
  for (const entry of entries) {
    if (entry.set === set || made.has(entry.record)) await outbox.delete(entry.n)
    else if (isOf(set)(entry)) await outbox.put(withoutEdit(entry, set))
  }
  await dropPhotos(writing, ({ set: own, record }) => own === set || made.has(record))
}

/** One that is on the wire may arrive: it goes when the farm has answered. */
async function dropPhotos(writing: Writing, isDropped: (photo: PhotoEntry) => boolean): Promise<void> {
  const photos = writing.objectStore('photo')
  for (const photo of await photos.getAll())
    if ((photo.state === 'waiting' || photo.state === 'needs-you') && isDropped(photo)) await photos.delete(photo.uuid)
}
