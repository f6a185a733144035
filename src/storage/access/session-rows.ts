import type { Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { SessionRow } from '../sql/access-tables.ts'
import { inSlices } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'
import type { Account } from './account-rows.ts'

export type SessionEntry = Selectable<SessionRow>

/** An account, and the session that it is logged in under. */
export interface SessionAccount extends Account {
  readonly begun: number
  readonly expires: number
  readonly confirmed: number | null
}

/** The account that is logged in under this session and is not blocked. */
export async function findSessionAccount(
  snapshot: Snapshot,
  hash: string,
  now: number,
): Promise<SessionAccount | undefined> {
  return accountInSession(snapshot, { hash, now })
}

const accountInSession = preparedFirst((snapshot, { hash, now }: { readonly hash: string; readonly now: number }) =>
  snapshot
    .selectFrom('session')
    .innerJoin('account', 'account.uid', 'session.uid')
    .selectAll('account')
    .select(['session.created as begun', 'session.expires', 'session.confirmed'])
    .where('session.hash', '=', hash)
    .where('session.expires', '>', now)
    .where('account.blocked', '=', 0),
)

/** The same for many at once, by the hashes of their sessions. */
export async function findSessionAccounts(
  snapshot: Snapshot,
  hashes: readonly string[],
  now: number,
): Promise<readonly (Pick<Account, 'uid' | 'role'> & { readonly hash: string })[]> {
  return inSlices(hashes, (slice) => accountsInSessions(snapshot, { hashes: slice, now }))
}

const accountsInSessions = prepared(
  (snapshot, { hashes, now }: { readonly hashes: readonly string[]; readonly now: number }) =>
    snapshot
      .selectFrom('session')
      .innerJoin('account', 'account.uid', 'session.uid')
      .select(['session.hash', 'account.uid', 'account.role'])
      .where('session.hash', 'in', hashes)
      .where('session.expires', '>', now)
      .where('account.blocked', '=', 0),
)

export async function sessionsOf(snapshot: Snapshot, uid: number, now: number): Promise<readonly SessionEntry[]> {
  return aliveOf(snapshot, { uid, now })
}

const aliveOf = prepared((snapshot, { uid, now }: { readonly uid: number; readonly now: number }) =>
  snapshot
    .selectFrom('session')
    .selectAll()
    .where('uid', '=', uid)
    .where('expires', '>', now)
    .orderBy('created', 'desc'),
)

/** Number of sessions and latest expiry, by account. */
export async function sessionsByAccount(
  snapshot: Snapshot,
  now: number,
): Promise<readonly (Pick<SessionEntry, 'uid' | 'created' | 'expires'> & { readonly sessions: number })[]> {
  const found = await countedByAccount(snapshot, { now })
  return found.map(({ sessions, ...latest }) => ({ ...latest, sessions: Number(sessions) }))
}

const countedByAccount = prepared((snapshot, { now }: { readonly now: number }) =>
  snapshot
    .selectFrom('session')
    .select(({ fn }) => ['uid', fn.max('created').as('created'), fn.max('expires').as('expires')])
    .select(({ fn }) => fn.countAll<number>().as('sessions'))
    .where('expires', '>', now)
    .groupBy('uid'),
)

export async function insertSession(tx: Transaction, session: SessionEntry): Promise<void> {
  await insertAll(tx, 'session', [session])
}

/** If several prolong it at once, one does: the expiry never moves back. */
export async function prolongSession(tx: Transaction, hash: string, expires: number): Promise<void> {
  await endLater(tx, { hash, expires })
}

const endLater = preparedChange((tx, { hash, expires }: { readonly hash: string; readonly expires: number }) =>
  tx.updateTable('session').set({ expires }).where('hash', '=', hash).where('expires', '<', expires),
)

export async function confirmSession(tx: Transaction, hash: string, at: number): Promise<void> {
  await setConfirmed(tx, { hash, at })
}

const setConfirmed = preparedChange((tx, { hash, at }: { readonly hash: string; readonly at: number }) =>
  tx.updateTable('session').set({ confirmed: at }).where('hash', '=', hash),
)

export async function deleteSession(tx: Transaction, hash: string): Promise<void> {
  await deleteWithHash(tx, { hash })
}

const deleteWithHash = preparedChange((tx, { hash }: { readonly hash: string }) =>
  tx.deleteFrom('session').where('hash', '=', hash),
)

/** Every session of the user but the one that is kept. */
export async function deleteSessionsOf(tx: Transaction, uid: number, kept: string | null): Promise<void> {
  await deleteOthers(tx, kept === null ? { uid } : { uid, kept })
}

const deleteOthers = preparedChange((tx, { uid, kept }: { readonly uid: number; readonly kept?: string }) => {
  const sessions = tx.deleteFrom('session').where('uid', '=', uid)
  return kept === undefined ? sessions : sessions.where('hash', '!=', kept)
})
