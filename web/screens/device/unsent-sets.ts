import { showToast } from '../../look/undo.tsx'
import { assetBy, termBy } from '../../store/local-copy.ts'
import { memory } from '../../store/memory.ts'
import type { Entry } from '../../store/outbox-entry.ts'
import { downloadFile, exportOutbox } from '../../sync/export-outbox.ts'
import type { UnsentSet } from '../../sync/send-state.ts'
import { session } from '../../sync/session.ts'
import { bytes, clock, dayAndClock, daysBetween, isoDay, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'

/** "Milkers to North 3", or the kind of change. */
export function titleOf({ entries, photos }: UnsentSet): string {
  const [first] = entries
  if (first === undefined) return photos[0] === undefined ? '' : nameOf(photos[0].record)
  const name =
    entries.length === 1 ? first.name : say('outbox.and-more', { name: first.name, count: entries.length - 1 })
  return say(verbOf(first), { name })
}

function verbOf({ method, undoes }: Entry) {
  if (undoes !== undefined) return 'outbox.verb.undo'
  return method === 'DELETE' || method === 'RESTORE' ? (`outbox.verb.${method}` as const) : 'outbox.verb.record'
}

const nameOf = (uuid: string): string => assetBy(uuid)?.name ?? termBy(uuid)?.name ?? ''

/** "today 09:52", with the photos of the set. */
export function secondOf({ entries, photos }: UnsentSet): string {
  const count = photos.length
  const size = bytes(photos.reduce((sum, photo) => sum + photo.size, 0))
  if (entries.length === 0) return say('outbox.photos-follow', { count, size })
  const time = timeWords(entries[0]?.at ?? 0)
  return count === 0 ? time : say('outbox.with-photos', { time, count })
}

export function timeWords(at: number): string {
  return daysBetween(at, now()) === 0 ? say('outbox.today', { time: clock(at) }) : dayAndClock(at)
}

/** Downloads all unsent entries as a file; they stay in the outbox. */
export async function exportAll(): Promise<void> {
  const database = memory.database ?? session.copy?.database
  if (database === undefined) return
  const { bytes, leftOut } = await exportOutbox(database)
  downloadFile(bytes, `furrow-outbox-${isoDay(now())}.json`)
  if (leftOut > 0) showToast(say('outbox.not-in-file', { count: leftOut }))
}
