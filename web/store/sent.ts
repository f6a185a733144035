import type { CopyDatabase } from './database.ts'
import type { SentEntry } from './entry.ts'
import { writeOutbox } from './write-outbox.ts'

/** What was sent and is not on the farm: entries, and the UUIDs of photos. */
export interface Lost {
  readonly entries: readonly SentEntry[]
  readonly photos: readonly string[]
}

/** On which edition of the farm entries were found; null where nobody asks any more. */
export async function noteEdition(
  database: CopyDatabase,
  sent: readonly SentEntry[],
  edition: string | null,
): Promise<void> {
  if (sent.length === 0) return
  await writeOutbox(database, async (writing) => {
    const store = writing.objectStore('sent')
    for (const { n } of sent) {
      const known = await store.get(n)
      if (known !== undefined) await store.put({ ...known, edition })
    }
  })
}

/** What was lost on the farm waits once more, at its old place; with an entry go the photos of its record. */
export function putBack(database: CopyDatabase, { entries, photos }: Lost): Promise<void> {
  return writeOutbox(database, async (writing) => {
    for (const { n, entry } of entries) {
      await writing.objectStore('outbox').put({ ...entry, state: 'waiting', problem: null, failures: 0 })
      await writing.objectStore('sent').delete(n)
    }
    const records = new Set(entries.map(({ entry }) => entry.record))
    const store = writing.objectStore('photo')
    for (const photo of await store.getAll())
      if (photo.state === 'sent' && (records.has(photo.record) || photos.includes(photo.uuid)))
        await store.put({ ...photo, state: 'waiting' })
  })
}
