import type { Selectable } from 'kysely'
import type { LoginStreakRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../prepared.ts'

export type LoginStreak = Selectable<LoginStreakRow>

export async function findStreak(rows: Reading, nameKey: string, address: string): Promise<LoginStreak | undefined> {
  return streakOf(rows, { nameKey, address })
}

interface Attempted {
  readonly nameKey: string
  readonly address: string
}

const streakOf = preparedFirst((rows, { nameKey, address }: Attempted) =>
  rows.selectFrom('login_streak').selectAll().where('name_key', '=', nameKey).where('address', '=', address),
)

export interface FailureSearch {
  readonly address: string
  readonly since: number
  readonly most: number
}

/** The times of the latest failures from an address, newest first. */
export async function latestFailures(rows: Reading, search: FailureSearch): Promise<number[]> {
  return (await failuresFrom(rows, search)).map((failure) => failure.at)
}

const failuresFrom = prepared((rows, { address, since, most }: FailureSearch) =>
  rows
    .selectFrom('login_failure')
    .select('at')
    .where('address', '=', address)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(most),
)

/** One more failure, in a row unless the streak had been forgotten. */
export async function countFailure(rows: Writing, streak: LoginStreak): Promise<void> {
  await prolongStreak(rows, streak)
  await insertAll(rows, 'login_failure', [{ address: streak.address, at: streak.last }])
}

const prolongStreak = preparedChange((rows, streak: LoginStreak) =>
  rows
    .insertInto('login_streak')
    .values(streak)
    .onConflict((conflict) =>
      conflict.columns(['name_key', 'address']).doUpdateSet((is) => ({
        failures: is('login_streak.failures', '+', 1),
        last: streak.last,
      })),
    ),
)

export async function forgetStreak(rows: Writing, nameKey: string, address: string): Promise<void> {
  await deleteStreak(rows, { nameKey, address })
}

const deleteStreak = preparedChange((rows, { nameKey, address }: Attempted) =>
  rows.deleteFrom('login_streak').where('name_key', '=', nameKey).where('address', '=', address),
)

export async function forgetOldFailures(rows: Writing, failuresBefore: number, streaksBefore: number): Promise<void> {
  await deleteFailures(rows, { before: failuresBefore })
  await deleteStreaks(rows, { before: streaksBefore })
}

interface Before {
  readonly before: number
}

const deleteFailures = preparedChange((rows, { before }: Before) =>
  rows.deleteFrom('login_failure').where('at', '<=', before),
)

const deleteStreaks = preparedChange((rows, { before }: Before) =>
  rows.deleteFrom('login_streak').where('last', '<=', before),
)
