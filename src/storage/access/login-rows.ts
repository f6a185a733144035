import type { Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { LoginStreakRow } from '../sql/access-tables.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'

type LoginStreak = Selectable<LoginStreakRow>

export async function findStreak(
  snapshot: Snapshot,
  nameKey: string,
  address: string,
): Promise<LoginStreak | undefined> {
  return streakOf(snapshot, { nameKey, address })
}

interface LoginAttemptKey {
  readonly nameKey: string
  readonly address: string
}

const streakOf = preparedFirst((snapshot, { nameKey, address }: LoginAttemptKey) =>
  snapshot.selectFrom('login_streak').selectAll().where('name_key', '=', nameKey).where('address', '=', address),
)

interface FailureSearch {
  readonly address: string
  readonly since: number
  readonly most: number
}

/** The times of the latest failures from an address, newest first. */
export async function latestFailures(snapshot: Snapshot, search: FailureSearch): Promise<number[]> {
  return (await failuresFrom(snapshot, search)).map((failure) => failure.at)
}

const failuresFrom = prepared((snapshot, { address, since, most }: FailureSearch) =>
  snapshot
    .selectFrom('login_failure')
    .select('at')
    .where('address', '=', address)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(most),
)

/** One more failure, in a row unless the streak had been forgotten. */
export async function countFailure(tx: Transaction, streak: LoginStreak): Promise<void> {
  await prolongStreak(tx, streak)
  await addFailure(tx, streak.address, streak.last)
}

/** One more failure that is of no account. */
export async function addFailure(tx: Transaction, address: string, at: number): Promise<void> {
  await insertAll(tx, 'login_failure', [{ address, at }])
}

const prolongStreak = preparedChange((tx, streak: LoginStreak) =>
  tx
    .insertInto('login_streak')
    .values(streak)
    .onConflict((conflict) =>
      conflict.columns(['name_key', 'address']).doUpdateSet((is) => ({
        failures: is('login_streak.failures', '+', 1),
        last: streak.last,
      })),
    ),
)

export async function forgetStreak(tx: Transaction, nameKey: string, address: string): Promise<void> {
  await deleteStreak(tx, { nameKey, address })
}

const deleteStreak = preparedChange((tx, { nameKey, address }: LoginAttemptKey) =>
  tx.deleteFrom('login_streak').where('name_key', '=', nameKey).where('address', '=', address),
)

export async function forgetOldFailures(tx: Transaction, failuresBefore: number, streaksBefore: number): Promise<void> {
  await deleteFailures(tx, { before: failuresBefore })
  await deleteStreaks(tx, { before: streaksBefore })
}

interface TimeLimit {
  readonly before: number
}

const deleteFailures = preparedChange((tx, { before }: TimeLimit) =>
  tx.deleteFrom('login_failure').where('at', '<=', before),
)

const deleteStreaks = preparedChange((tx, { before }: TimeLimit) =>
  tx.deleteFrom('login_streak').where('last', '<=', before),
)
