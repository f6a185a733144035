import { batch } from '@preact/signals'
import { readTold, type Told } from './commit.ts'
import type { CopyDatabase } from './database.ts'
import { memory } from './memory.ts'
import { entriesOf, photosOf } from './outbox.ts'
import { recordOf } from './row.ts'
import { isInOutbox, showOutbox } from './show.ts'

let reading = 0

/** Shows what waits as the database has it, and with it what was written to the copy in the same breath. */
export async function readOutbox(told: Told): Promise<void> {
  const { database } = memory
  if (database === null) return
  const [showTold, showWaiting] = await Promise.all([
    readTold(database, told),
    readWaiting(database, (uuid) => !isInOutbox(uuid)),
  ])
  if (memory.database !== database) return
  batch(() => {
    showTold()
    showWaiting()
  })
}

/** Reads what waits, and gives what shows it, unless it was read again meanwhile. What is known of logs already is not read again. */
export async function readWaiting(database: CopyDatabase, isNew = (_uuid: string) => true): Promise<() => void> {
  reading += 1
  const now = reading
  const [entries, photos] = await Promise.all([entriesOf(database), photosOf(database)])
  const uuids = new Set(
    entries.filter(({ type, record }) => type === 'log' && isNew(record)).map(({ record }) => record),
  )
  const rows = await Promise.all([...uuids].map((uuid) => database.get('record', uuid)))
  return () => {
    if (now !== reading) return
    memory.photos.value = photos
    showOutbox(entries, rows.filter((row) => row !== undefined).map(recordOf))
  }
}
