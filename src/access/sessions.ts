import { type Account, lockAccountToAdmit } from '../storage/access/account-rows.ts'
import { sweepExpired } from '../storage/access/expiry.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSessionAccount,
  insertSession,
  type Session,
  sessionsOf,
} from '../storage/access/session-rows.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { hashOf, newSecret } from './secrets.ts'

export const sessionLifetime = 14 * 86_400

/** Where a login came from, for the list of sessions that its owner sees. */
export interface Origin {
  readonly agent: string
  readonly address: string
}

/** Somebody who has shown the password that this is the hash of. */
export type Proven = Pick<Account, 'uid' | 'password_hash'>

/**
 * Opens a session under a new secret value and gives it: whatever the browser held before is not continued. Null where the
 * password was changed, or the account blocked, since it was shown.
 */
export async function openSession(
  { database, clock }: Installation,
  proven: Proven,
  origin: Origin,
): Promise<string | null> {
  const value = newSecret()
  const now = clock()
  return database.write(async (tx) => {
    const { uid, password_hash } = proven
    if ((await lockAccountToAdmit(tx, uid))?.password_hash !== password_hash) return null
    await sweepExpired(tx, now)
    await insertSession(tx, {
      hash: hashOf(value),
      uid,
      created: now,
      expires: now + sessionLifetime,
      agent: origin.agent.slice(0, 200),
      address: origin.address,
    })
    await note(tx, 'logged-in', { at: now, uid, address: origin.address })
    return value
  })
}

export async function accountOfSession({ database, clock }: Installation, value: string): Promise<Account | undefined> {
  return database.ask((snapshot) => findSessionAccount(snapshot, hashOf(value), clock()))
}

export async function closeSession({ database, clock }: Installation, uid: number, value: string): Promise<void> {
  await database.write(async (tx) => {
    await deleteSession(tx, hashOf(value))
    await note(tx, 'logged-out', { at: clock(), uid })
  })
}

export async function listSessions({ database, clock }: Installation, uid: number): Promise<readonly Session[]> {
  return database.read((snapshot) => sessionsOf(snapshot, uid, clock()))
}

/** Ends one of the user's own sessions, named by its hash. */
export async function endSession(installation: Installation, uid: number, hash: string): Promise<void> {
  const sessions = await listSessions(installation, uid)
  if (!sessions.some((session) => session.hash === hash)) return
  await installation.database.write((tx) => deleteSession(tx, hash))
}

export async function endOtherSessions({ database }: Installation, uid: number, kept: string | null): Promise<void> {
  await database.write((tx) => deleteSessionsOf(tx, uid, kept === null ? null : hashOf(kept)))
}
