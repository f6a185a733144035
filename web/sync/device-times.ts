import { type Amendment, amend } from '../store/amend.ts'
import type { CopyDatabase } from '../store/database.ts'
import type { Entry } from '../store/entry.ts'
import { clockAhead } from '../words/format.ts'

const tolerated = 120

/** A time so close to that of saving was meant as "now". */
const aboutNow = 900

/**
 * What was saved before the clock of this device could be compared gets the time that it was on the farm. Days that a person chose
 * stay as they are, and so does whatever was on the wire.
 */
export async function correctTimes(database: CopyDatabase): Promise<void> {
  const ahead = Math.round(clockAhead() / 1000)
  const unsure = (await database.getAll('outbox')).filter(({ clock, tries }) => clock === 'unsure' && tries === 0)
  if (unsure.length > 0)
    await amend(database, ...unsure.map(({ n }): Amendment => [n, (entry) => corrected(entry, ahead)]))
}

/** A clock that is right now was put right since, as phones do when they find a network: then what was known of it before holds. */
export function corrected(entry: Entry, ahead: number): Partial<Entry> {
  const compared = { clock: 'compared' } as const
  const { at, body, tries } = entry
  const off = ahead - entry.ahead
  if (tries > 0) return {}
  if (Math.abs(ahead) <= tolerated || Math.abs(off) <= tolerated) return compared
  const time = Number(body.timestamp)
  const isNow = body.timestamp !== undefined && Math.abs(time - at) <= aboutNow
  return { ...compared, ahead, at: at - off, ...(isNow ? { body: { ...body, timestamp: String(time - off) } } : {}) }
}
