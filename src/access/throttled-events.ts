import type { Database } from '../storage/database.ts'
import { type AccessEvent, type EventDetails, note } from './events.ts'
import type { Installation } from './installation.ts'

/** Seconds between two recorded events of the same key, for events that can be very frequent. */
const pauses = { 'login-refused': 60, 'logged-in': 3600 } as const satisfies Partial<Record<AccessEvent, number>>

/** Limit of the cache. An evicted key may be recorded again earlier. */
const mostRemembered = 1000
const lastNoted = new WeakMap<Database, Map<string, number>>()

interface ThrottledEvent extends Omit<EventDetails, 'at'> {
  readonly event: keyof typeof pauses
  /** The throttling key. */
  readonly key: string
}

/** One event a minute per network, because a refused client can retry at once. */
export const noteRefusedLogin = (
  installation: Installation,
  network: string,
  concerned: Omit<EventDetails, 'at'>,
): Promise<void> => noteOnce(installation, { ...concerned, event: 'login-refused', key: network })

/** One event an hour per account and address, because HTTP Basic sends the password with every request. */
export const noteBasicLogin = (
  installation: Installation,
  { uid, address }: { readonly uid: number; readonly address: string },
): Promise<void> => noteOnce(installation, { uid, address, event: 'logged-in', key: `${uid} ${address}` })

async function noteOnce(
  { database, clock }: Installation,
  { event, key, ...concerned }: ThrottledEvent,
): Promise<void> {
  const now = clock()
  const noted = lastNoted.get(database) ?? new Map<string, number>()
  lastNoted.set(database, noted)
  const name = `${event} ${key}`
  const before = noted.get(name)
  if (before !== undefined && Math.abs(now - before) < pauses[event]) return
  noted.delete(name)
  const [oldest] = noted.keys()
  if (noted.size >= mostRemembered && oldest !== undefined) noted.delete(oldest)
  // Set before the write, so that concurrent requests record nothing.
  noted.set(name, now)
  try {
    await database.write((tx) => note(tx, event, { ...concerned, at: now }))
  } catch (error) {
    noted.delete(name)
    throw error
  }
}
