import type { CopyDatabase } from '../store/database.ts'
import type { Entry, PhotoEntry } from '../store/outbox-entry.ts'
import type { RecordFields } from '../store/record.ts'
import { operationsOf } from './entry-request.ts'

interface OutboxExport {
  readonly bytes: Blob
  /** Number of photos, restores and drafts that the file cannot contain. */
  readonly leftOut: number
}

/** All unsent entries as one body for `/batch`; photos are inside their records if those are unsent as well. */
export async function exportOutbox(database: CopyDatabase): Promise<OutboxExport> {
  const waiting = await database.getAll('outbox')
  const entries = waiting.filter(({ method }) => method !== 'RESTORE')
  const photos = (await database.getAll('photo')).filter(({ state }) => state !== 'sent')
  const created = new Set(entries.filter(({ method }) => method === 'POST').map(({ record }) => record))
  const whole = await Promise.all(entries.map((entry) => withPhotos(entry, photos)))
  const body = JSON.stringify({ atomic: false, operations: operationsOf(whole, null) }, null, 1)
  const photosLeftOut = photos.filter(({ record }) => !created.has(record)).length
  return {
    bytes: new Blob([body], { type: 'application/json' }),
    leftOut: waiting.length - entries.length + photosLeftOut + (await database.count('draft')),
  }
}

async function withPhotos(entry: Entry, photos: readonly PhotoEntry[]): Promise<Entry> {
  const own = entry.method === 'POST' ? photos.filter(({ record }) => record === entry.record) : []
  const files: Record<string, string[]> = {}
  for (const { field, bytes } of own) files[field] = [...(files[field] ?? []), await dataUriOf(bytes)]
  const body: RecordFields = { ...entry.body, ...files }
  return { ...entry, body }
}

function dataUriOf(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(bytes)
  })
}

/** Offers a file as a download. */
export function downloadFile(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
