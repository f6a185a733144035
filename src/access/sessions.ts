import { Refusal } from '../refusal.ts'
import { type Account, lockAccountToAdmit } from '../storage/access/account-rows.ts'
import { sweepExpired } from '../storage/access/expiry.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findSessionAccount,
  insertSession,
  confirmSession as markConfirmed,
  prolongSession,
  type SessionAccount,
  type SessionEntry,
  sessionsOf,
} from '../storage/access/session-rows.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { hashOf, newSecret } from './secrets.ts'

const day = 86_400

/** Session lifetime after the last use, and after the login: a phone may be away for weeks. */
export const sessionLifetimes = { unused: 30 * day, inAll: 180 * day }

/** The last use is written at most this often, so that reads do not write. */
const notedEvery = day

/** Seconds after a password confirmation in which a session may administer. */
const confirmedFor = 900

/** The origin of a login, for the owner's list of sessions. */
interface LoginOrigin {
  readonly agent: string
  readonly address: string
}

/** HTTP Basic records its logins itself: one session serves many logins, and one login may open several sessions. */
interface NewSession extends LoginOrigin {
  readonly carrier: 'cookie' | 'basic'
}

/** An account whose password was just verified, with the hash it was verified against. */
export type ConfirmedSession = Pick<Account, 'uid' | 'password_hash'>

/**
 * Opens a session under a new secret value and returns it. Null if the password was changed, or the account blocked,
 * since it was verified.
 */
export async function openSession(
  { database, clock }: Installation,
  proven: ConfirmedSession,
  origin: NewSession,
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
      expires: now + sessionLifetimes.unused,
      agent: origin.agent.slice(0, 200),
      address: origin.address,
      confirmed: now,
    })
    if (origin.carrier === 'cookie') await note(tx, 'logged-in', { at: now, uid, address: origin.address })
    return value
  })
}

/** The account of a session. The lookup counts as use of the session. */
export async function accountOfSession(
  { database, clock }: Installation,
  value: string,
): Promise<SessionAccount | undefined> {
  const [hash, now] = [hashOf(value), clock()]
  const account = await database.ask((snapshot) => findSessionAccount(snapshot, hash, now))
  if (account === undefined) return undefined
  const expires = Math.min(now + sessionLifetimes.unused, account.begun + sessionLifetimes.inAll)
  // Not awaited: readers do not wait for it, and after a failure the next request tries again.
  if (account.expires + notedEvery <= expires) database.write((tx) => prolongSession(tx, hash, expires)).catch(() => {})
  return account
}

export const isConfirmedAt = ({ confirmed }: SessionAccount, now: number): boolean =>
  confirmed !== null && now < confirmed + confirmedFor

/** True for a short while after the password of this session was typed. */
export async function isSessionConfirmed({ database, clock }: Installation, value: string): Promise<boolean> {
  const account = await database.ask((snapshot) => findSessionAccount(snapshot, hashOf(value), clock()))
  return account !== undefined && isConfirmedAt(account, clock())
}

/** Confirms the password in this session; returns until when it may administer. */
export async function confirmSession(
  { database, clock }: Installation,
  { uid, password_hash }: ConfirmedSession,
  value: string,
): Promise<number> {
  const now = clock()
  await database.write(async (tx) => {
    const account = await lockAccountToAdmit(tx, uid)
    if (account?.password_hash !== password_hash)
      throw new Refusal('unauthenticated', 'The password was changed: log in again.')
    await markConfirmed(tx, hashOf(value), now)
    await note(tx, 'password-confirmed', { at: now, uid })
  })
  return now + confirmedFor
}

export async function closeSession({ database, clock }: Installation, uid: number, value: string): Promise<void> {
  await database.write(async (tx) => {
    await deleteSession(tx, hashOf(value))
    await note(tx, 'logged-out', { at: clock(), uid })
  })
}

export async function listSessions({ database, clock }: Installation, uid: number): Promise<readonly SessionEntry[]> {
  return database.read((snapshot) => sessionsOf(snapshot, uid, clock()))
}

/** Ends one of the user's own sessions, by its hash. */
export async function endSession(installation: Installation, uid: number, hash: string): Promise<void> {
  if (await hasSession(installation, uid, hash)) await installation.database.write((tx) => deleteSession(tx, hash))
}

/** Ends a session of another account. */
export async function endSessionOf(
  installation: Installation,
  { uid, by }: { readonly uid: number; readonly by: number },
  hash: string,
): Promise<void> {
  if (!(await hasSession(installation, uid, hash))) throw new Refusal('not-found', 'This account has no such session.')
  await installation.database.write(async (tx) => {
    await deleteSession(tx, hash)
    await note(tx, 'sessions-ended', { at: installation.clock(), uid, actor: by })
  })
}

async function hasSession(installation: Installation, uid: number, hash: string): Promise<boolean> {
  return (await listSessions(installation, uid)).some((session) => session.hash === hash)
}

/** Last use, to the day. For a session at its maximum lifetime, a lower bound. */
export const lastUseOf = ({ created, expires }: Pick<SessionEntry, 'created' | 'expires'>): number =>
  Math.max(created, expires - sessionLifetimes.unused)

export async function endOtherSessions({ database }: Installation, uid: number, kept: string | null): Promise<void> {
  await database.write((tx) => deleteSessionsOf(tx, uid, kept === null ? null : hashOf(kept)))
}
