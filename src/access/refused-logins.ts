import type { Database } from '../storage/database.ts'
import { type Concerned, note } from './events.ts'
import type { Installation } from './installation.ts'

const seconds = 60
const mostNetworks = 1000
const lastNoted = new WeakMap<Database, Map<string, number>>()

/** One event a minute for each network: whoever is refused may come back a thousand times a second. */
export async function noteRefusedLogin(
  { database, clock }: Installation,
  network: string,
  concerned: Omit<Concerned, 'at'>,
): Promise<void> {
  const now = clock()
  const noted = lastNoted.get(database) ?? new Map<string, number>()
  lastNoted.set(database, noted)
  const before = noted.get(network)
  if (before !== undefined && Math.abs(now - before) < seconds) return
  noted.delete(network)
  const [oldest] = noted.keys()
  if (noted.size >= mostNetworks && oldest !== undefined) noted.delete(oldest)
  noted.set(network, now)
  await database.write((tx) => note(tx, 'login-refused', { ...concerned, at: now }))
}
