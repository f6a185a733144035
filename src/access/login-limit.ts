import {
  countFailure,
  findStreak,
  forgetOldFailures,
  forgetStreak,
  latestFailures,
} from '../storage/access/login-rows.ts'
import type { Writing } from '../storage/database.ts'
import { type Concerned, note } from './events.ts'
import type { Ground } from './ground.ts'

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
export async function secondsToWait({ database, clock }: Ground, { nameKey, network }: Attempted): Promise<number> {
  const now = clock()
  const [streak, failures] = await database.read(async (rows) => [
    await findStreak(rows, nameKey, network),
    await latestFailures(rows, { address: network, since: now - hour, most: failuresInAnHour }),
  ])
  if (streak && streak.failures >= failuresInARow) {
    const wait = Math.min(longestWait, firstWait * 2 ** (streak.failures - failuresInARow))
    if (streak.last + wait > now) return streak.last + wait - now
  }
  const oldest = failures[failuresInAnHour - 1]
  return oldest === undefined ? 0 : Math.max(0, oldest + hour - now)
}

/** Failures that no limit looks at any more. */
export const sweepFailures = (rows: Writing, now: number): Promise<void> =>
  forgetOldFailures(rows, now - hour, now - streakIsRemembered)

export async function rememberFailure(
  { database, clock }: Ground,
  { nameKey, network }: Attempted,
  concerned: Omit<Concerned, 'at'>,
): Promise<void> {
  const now = clock()
  await database.write(async (rows) => {
    await sweepFailures(rows, now)
    await countFailure(rows, { name_key: nameKey, address: network, failures: 1, last: now })
    await note(rows, 'login-failed', { ...concerned, at: now })
  })
}

export async function forgetFailures({ database }: Ground, { nameKey, network }: Attempted): Promise<void> {
  const streak = await database.read((rows) => findStreak(rows, nameKey, network))
  if (streak) await database.write((rows) => forgetStreak(rows, nameKey, network))
}
