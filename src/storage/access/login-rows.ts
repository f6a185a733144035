import type { Selectable } from 'kysely'
import type { LoginStreakRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'

export type LoginStreak = Selectable<LoginStreakRow>

export async function findStreak(rows: Reading, nameKey: string, address: string): Promise<LoginStreak | undefined> {
  return rows
    .selectFrom('login_streak')
    .selectAll()
    .where('name_key', '=', nameKey)
    .where('address', '=', address)
    .executeTakeFirst()
}

export interface FailureSearch {
  readonly address: string
  readonly since: number
  readonly most: number
}

/** The times of the latest failures from an address, newest first. */
export async function latestFailures(rows: Reading, { address, since, most }: FailureSearch): Promise<number[]> {
  const failures = await rows
    .selectFrom('login_failure')
    .select('at')
    .where('address', '=', address)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(most)
    .execute()
  return failures.map((failure) => failure.at)
}

/** One more failure, in a row unless the streak had been forgotten. */
export async function countFailure(rows: Writing, streak: LoginStreak): Promise<void> {
  await rows
    .insertInto('login_streak')
    .values(streak)
    .onConflict((conflict) =>
      conflict.columns(['name_key', 'address']).doUpdateSet((is) => ({
        failures: is('login_streak.failures', '+', 1),
        last: streak.last,
      })),
    )
    .execute()
  await rows.insertInto('login_failure').values({ address: streak.address, at: streak.last }).execute()
}

export async function forgetStreak(rows: Writing, nameKey: string, address: string): Promise<void> {
  await rows.deleteFrom('login_streak').where('name_key', '=', nameKey).where('address', '=', address).execute()
}

export async function forgetOldFailures(rows: Writing, failuresBefore: number, streaksBefore: number): Promise<void> {
  await rows.deleteFrom('login_failure').where('at', '<=', failuresBefore).execute()
  await rows.deleteFrom('login_streak').where('last', '<=', streaksBefore).execute()
}
