import type { Transaction } from '../database.ts'
import { ask, type Fragment, fragment, word } from './fragment.ts'

/** Any numbers that no other program is likely to lock in the same PostgreSQL database. */
const numbers = {
  migrations: 4_637_292_818,
  changes: 4_637_292_819,
  'new terms': 4_637_292_820,
  clients: 4_637_292_821,
  ancestry: 4_637_292_823,
  trash: 4_637_292_824,
}

type LockName = keyof typeof numbers

const functions = { alone: 'pg_advisory_xact_lock', together: 'pg_advisory_xact_lock_shared' }

/** For statements that do more than wait. */
export const lockInSql = (matter: LockName, how: keyof typeof functions): Fragment =>
  word(`${functions[how]}(${numbers[matter]}::bigint)`)

/** Waits until nobody else is at it, and keeps others waiting until the transaction ends. On SQLite there is one writer anyway. */
export const holdAlone = (tx: Transaction, matter: LockName): Promise<void> => hold(tx, lockInSql(matter, 'alone'))

/** Waits until nobody is at it alone, and keeps those waiting until the transaction ends. */
export const holdTogether = (tx: Transaction, matter: LockName): Promise<void> =>
  hold(tx, lockInSql(matter, 'together'))

async function hold(tx: Transaction, lock: Fragment): Promise<void> {
  if (tx.engine === 'sqlite') return
  await ask(tx, fragment`select ${lock}`)
}

/** A space of its own beside the numbers above. */
const uuidSpace = 463_729

/** Waits until nobody else is at one of these UUIDs, and keeps others waiting until the transaction ends. */
export async function holdUuids(tx: Transaction, uuids: readonly string[]): Promise<void> {
  if (tx.engine === 'sqlite' || uuids.length === 0) return
  const keys = uuids.map((uuid) => Number.parseInt(uuid.slice(-8), 16) | 0)
  // A fixed order prevents deadlocks.
  const inOrder = keys.toSorted((a, b) => a - b).join()
  await ask(
    tx,
    fragment`select pg_advisory_xact_lock(${uuidSpace}::int, key::int) from unnest(string_to_array(${inOrder}, ',')) as key`,
  )
}

/** True if nobody else holds the lock; then it is held until the transaction ends. */
export async function isAlone(tx: Transaction, matter: LockName): Promise<boolean> {
  if (tx.engine === 'sqlite') return true
  const lock = word(`pg_try_advisory_xact_lock(${numbers[matter]}::bigint)`)
  const [found] = await ask<{ locked: number }>(tx, fragment`select ${lock}::int as locked`)
  return found?.locked === 1
}
