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
import type { Ground } from './ground.ts'
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
export async function openSession({ database, clock }: Ground, proven: Proven, origin: Origin): Promise<string | null> {
  const value = newSecret()
  const now = clock()
  return database.write(async (rows) => {
    const { uid, password_hash } = proven
    if ((await lockAccountToAdmit(rows, uid))?.password_hash !== password_hash) return null
    await sweepExpired(rows, now)
    await insertSession(rows, {
      hash: hashOf(value),
      uid,
      created: now,
      expires: now + sessionLifetime,
      agent: origin.agent.slice(0, 200),
      address: origin.address,
    })
    await note(rows, 'logged-in', { at: now, uid, address: origin.address })
    return value
  })
}

export async function accountOfSession({ database, clock }: Ground, value: string): Promise<Account | undefined> {
  return database.ask((rows) => findSessionAccount(rows, hashOf(value), clock()))
}

export async function closeSession({ database, clock }: Ground, uid: number, value: string): Promise<void> {
  await database.write(async (rows) => {
    await deleteSession(rows, hashOf(value))
    await note(rows, 'logged-out', { at: clock(), uid })
  })
}

export async function listSessions({ database, clock }: Ground, uid: number): Promise<readonly Session[]> {
  return database.read((rows) => sessionsOf(rows, uid, clock()))
}

/** Ends one of the user's own sessions, named by its hash. */
export async function endSession(ground: Ground, uid: number, hash: string): Promise<void> {
  const sessions = await listSessions(ground, uid)
  if (!sessions.some((session) => session.hash === hash)) return
  await ground.database.write((rows) => deleteSession(rows, hash))
}

export async function endOtherSessions({ database }: Ground, uid: number, kept: string | null): Promise<void> {
  await database.write((rows) => deleteSessionsOf(rows, uid, kept === null ? null : hashOf(kept)))
}
