import type { Selectable } from 'kysely'
import type { SessionRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../prepared.ts'
import type { Account } from './account-rows.ts'

export type Session = Selectable<SessionRow>

/** The account that is logged in under this session and is not blocked. */
export async function findSessionAccount(rows: Reading, hash: string, now: number): Promise<Account | undefined> {
  return accountInSession(rows, { hash, now })
}

const accountInSession = preparedFirst((rows, { hash, now }: { readonly hash: string; readonly now: number }) =>
  rows
    .selectFrom('session')
    .innerJoin('account', 'account.uid', 'session.uid')
    .selectAll('account')
    .where('session.hash', '=', hash)
    .where('session.expires', '>', now)
    .where('account.blocked', '=', 0),
)

export async function sessionsOf(rows: Reading, uid: number, now: number): Promise<readonly Session[]> {
  return aliveOf(rows, { uid, now })
}

const aliveOf = prepared((rows, { uid, now }: { readonly uid: number; readonly now: number }) =>
  rows.selectFrom('session').selectAll().where('uid', '=', uid).where('expires', '>', now).orderBy('created', 'desc'),
)

export async function insertSession(rows: Writing, session: Session): Promise<void> {
  await insertAll(rows, 'session', [session])
}

export async function deleteSession(rows: Writing, hash: string): Promise<void> {
  await deleteWithHash(rows, { hash })
}

const deleteWithHash = preparedChange((rows, { hash }: { readonly hash: string }) =>
  rows.deleteFrom('session').where('hash', '=', hash),
)

/** Every session of the user but the one that is kept. */
export async function deleteSessionsOf(rows: Writing, uid: number, kept: string | null): Promise<void> {
  await deleteOthers(rows, kept === null ? { uid } : { uid, kept })
}

const deleteOthers = preparedChange((rows, { uid, kept }: { readonly uid: number; readonly kept?: string }) => {
  const sessions = rows.deleteFrom('session').where('uid', '=', uid)
  return kept === undefined ? sessions : sessions.where('hash', '!=', kept)
})
