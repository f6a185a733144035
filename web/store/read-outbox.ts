import { batch } from '@preact/signals'
import { readTold, type Told } from './commit.ts'
import type { CopyDatabase } from './database.ts'
import type { Entry } from './entry.ts'
import { memory } from './memory.ts'
import { entriesOf, photosOf } from './outbox.ts'
import { recordOf } from './row.ts'
import { isInOutbox, showOutbox } from './show.ts'

let [readingEntries, readingPhotos] = [0, 0]

/** Shows what waits, and with it what was written to the copy in the same breath. */
export async function readOutbox(told: Told, entries?: readonly Entry[]): Promise<void> {
  const { database } = memory
  if (database === null) return
  const [showTold, showWaiting] = await Promise.all([
    readTold(database, told),
    readWaiting(database, { isNew: (uuid) => !isInOutbox(uuid), entries }),
  ])
  if (memory.database !== database) return
  batch(() => {
    showTold()
    showWaiting()
  })
}

interface Reading {
  /** Whether a log has to be read: what is known already is not read again. */
  readonly isNew?: (uuid: string) => boolean
  /** As they were just written, without photos: hundreds may wait, and need not be read again for one more. */
  readonly entries?: readonly Entry[] | undefined
}

/** Reads what waits, and gives what shows it, unless it was read again meanwhile. */
export async function readWaiting(database: CopyDatabase, reading: Reading = {}): Promise<() => void> {
  const { isNew = () => true } = reading
  readingEntries += 1
  if (reading.entries === undefined) readingPhotos += 1
  const [entriesNow, photosNow] = [readingEntries, readingPhotos]
  const [entries, photos] = await Promise.all([
    reading.entries ?? entriesOf(database),
    reading.entries === undefined ? photosOf(database) : null,
  ])
  const uuids = new Set(
    entries.filter(({ type, record }) => type === 'log' && isNew(record)).map(({ record }) => record),
  )
  const rows = await Promise.all([...uuids].map((uuid) => database.get('record', uuid)))
  return () => {
    if (photos !== null && photosNow === readingPhotos) memory.photos.value = photos
    if (entriesNow !== readingEntries) return
    showOutbox(entries, rows.filter((row) => row !== undefined).map(recordOf))
  }
}
