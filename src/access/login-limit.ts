import {
  addFailure,
  countFailure,
  findStreak,
  forgetOldFailures,
  forgetStreak,
  latestFailures,
} from '../storage/access/login-rows.ts'
import type { Snapshot, Transaction } from '../storage/database.ts'
import { type Concerned, note } from './events.ts'
import type { Installation } from './installation.ts'

/** Whose attempts are counted together: one account name from one network. */
export interface Attempted {
  readonly nameKey: string
  readonly network: string
}

const failuresInARow = 10
const failuresInAnHour = 100
const hour = 3600
const firstWait = 60
const longestWait = 900
const streakIsRemembered = 86_400

/** For how many seconds nobody may try; 0: at once. */
export async function secondsToWait(
  { database, clock }: Installation,
  { nameKey, network }: Attempted,
): Promise<number> {
  const now = clock()
  const [streak, waitOfNetwork] = await database.read(async (snapshot) => [
    await findStreak(snapshot, nameKey, network),
    await hourlyWait(snapshot, network, now),
  ])
  if (streak && streak.failures >= failuresInARow) {
    const wait = Math.min(longestWait, firstWait * 2 ** (streak.failures - failuresInARow))
    if (streak.last + wait > now) return streak.last + wait - now
  }
  return waitOfNetwork
}

/** The same for keys of links, which nobody has a name for: only the hour counts. */
export const secondsToWaitWithKeys = ({ database, clock }: Installation, network: string): Promise<number> =>
  database.read((snapshot) => hourlyWait(snapshot, network, clock()))

async function hourlyWait(snapshot: Snapshot, network: string, now: number): Promise<number> {
  const failures = await latestFailures(snapshot, { address: network, since: now - hour, most: failuresInAnHour })
  const oldest = failures[failuresInAnHour - 1]
  return oldest === undefined ? 0 : Math.max(0, oldest + hour - now)
}

/** Failures that no limit looks at any more. */
export const sweepFailures = (tx: Transaction, now: number): Promise<void> =>
  forgetOldFailures(tx, now - hour, now - streakIsRemembered)

export async function rememberFailure(
  { database, clock }: Installation,
  { nameKey, network }: Attempted,
  concerned: Omit<Concerned, 'at'>,
): Promise<void> {
  const now = clock()
  await database.write(async (tx) => {
    await sweepFailures(tx, now)
    await countFailure(tx, { name_key: nameKey, address: network, failures: 1, last: now })
    await note(tx, 'login-failed', { ...concerned, at: now })
  })
}

export async function rememberWrongKey(
  { database, clock }: Installation,
  network: string,
  concerned: Omit<Concerned, 'at'>,
): Promise<void> {
  const now = clock()
  await database.write(async (tx) => {
    await sweepFailures(tx, now)
    await addFailure(tx, network, now)
    await note(tx, 'link-failed', { ...concerned, at: now })
  })
}

export async function forgetFailures({ database }: Installation, { nameKey, network }: Attempted): Promise<void> {
  const streak = await database.read((snapshot) => findStreak(snapshot, nameKey, network))
  if (streak) await database.write((tx) => forgetStreak(tx, nameKey, network))
}
