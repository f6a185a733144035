import { CompiledQuery } from 'kysely'
import type { Writing } from './database.ts'

/** Any numbers that no other program is likely to lock in the same PostgreSQL database. */
const numbers = {
  migrations: 4_637_292_818,
  changes: 4_637_292_819,
  'new terms': 4_637_292_820,
  clients: 4_637_292_821,
  ancestry: 4_637_292_823,
}

type Matter = keyof typeof numbers

/** Waits until nobody else is at it, and keeps others waiting until the transaction ends. On SQLite there is one writer anyway. */
export const holdAlone = (rows: Writing, matter: Matter): Promise<void> => hold(rows, 'pg_advisory_xact_lock', matter)

/** Waits until nobody is at it alone, and keeps those waiting until the transaction ends. */
export const holdTogether = (rows: Writing, matter: Matter): Promise<void> =>
  hold(rows, 'pg_advisory_xact_lock_shared', matter)

async function hold(rows: Writing, lock: string, matter: Matter): Promise<void> {
  if (rows.engine === 'sqlite') return
  await rows.executeQuery(CompiledQuery.raw(`select ${lock}($1::bigint)`, [numbers[matter]]))
}
