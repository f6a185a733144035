import type { Selectable } from 'kysely'
import type { SessionRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import type { Account } from './account-rows.ts'

export type Session = Selectable<SessionRow>

/** The account that is logged in under this session and is not blocked. */
export async function findSessionAccount(rows: Reading, hash: string, now: number): Promise<Account | undefined> {
  return rows
    .selectFrom('session')
    .innerJoin('account', 'account.uid', 'session.uid')
    .selectAll('account')
    .where('session.hash', '=', hash)
    .where('session.expires', '>', now)
    .where('account.blocked', '=', 0)
    .executeTakeFirst()
}

export async function sessionsOf(rows: Reading, uid: number, now: number): Promise<Session[]> {
  return rows
    .selectFrom('session')
    .selectAll()
    .where('uid', '=', uid)
    .where('expires', '>', now)
    .orderBy('created', 'desc')
    .execute()
}

export async function insertSession(rows: Writing, session: Session): Promise<void> {
  await rows.insertInto('session').values(session).execute()
}

export async function deleteSession(rows: Writing, hash: string): Promise<void> {
  await rows.deleteFrom('session').where('hash', '=', hash).execute()
}

/** Every session of the user but the one that is kept. */
export async function deleteSessionsOf(rows: Writing, uid: number, kept: string | null): Promise<void> {
  let sessions = rows.deleteFrom('session').where('uid', '=', uid)
  if (kept !== null) sessions = sessions.where('hash', '!=', kept)
  await sessions.execute()
}
