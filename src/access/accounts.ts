import { randomUUID } from 'node:crypto'
import type { RoleName } from '../farm/people/roles.ts'
import { textKey } from '../fields/key.ts'
import { Refusal } from '../refusal.ts'
import {
  type Account,
  allAccounts,
  deleteAccount,
  findAccountByName,
  findAccounts,
  insertAccount,
  isNamedSomewhere,
  lockAccountToChange,
  lockManagers,
  updateAccount,
} from '../storage/access/account-rows.ts'
import { deleteInvitationsBy, deleteInvitationsFor } from '../storage/access/invitation-rows.ts'
import { deleteSessionsOf } from '../storage/access/session-rows.ts'
import { endGrants } from '../storage/access/token-rows.ts'
import type { Snapshot, Transaction } from '../storage/database.ts'
import { isUniqueViolation } from '../storage/sql/errors.ts'
import { type AccessEvent, note } from './events.ts'
import type { Installation } from './installation.ts'
import { usualTimezone } from './locales.ts'
import { canonicalMail, canonicalName, nameKey } from './names.ts'
import { hashPassword, type NewPassword } from './passwords.ts'
import { hashOf } from './secrets.ts'
import { closeSetup } from './setup-state.ts'

interface NewAccount extends NewPassword {
  readonly name: string
  readonly role: RoleName | null
  readonly mail?: string
  readonly language?: string
}

export interface AccountView {
  readonly uid: number
  readonly uuid: string
  readonly name: string
  readonly mail: string
  readonly language: string
  readonly timezone: string
  readonly role: RoleName | null
  readonly blocked: boolean
  /** Belongs to a client and cannot log in. */
  readonly isService: boolean
  readonly created: number
}

export function viewOf(account: Account): AccountView {
  const { uid, uuid, name, mail, language, role, created } = account
  return {
    uid,
    uuid,
    name,
    mail,
    language,
    timezone: account.timezone ?? usualTimezone,
    role,
    created,
    blocked: account.blocked === 1,
    isService: account.password_hash === null,
  }
}

export async function addAccount({ database, clock }: Installation, given: NewAccount): Promise<AccountView> {
  const account = await accountFrom(given, clock())
  try {
    return await database.write(async (tx) => {
      await closeSetup(tx, clock())
      return insertNewAccount(tx, account)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw nameIsTaken(account.name)
    throw error
  }
}

/** Validates a new account before its password is asked for: the name by itself, and against existing accounts. */
export function requireSoundAccount({ name, mail = '' }: Pick<NewAccount, 'name' | 'mail'>): void {
  canonicalName(name)
  canonicalMail(mail)
}

export async function requireUnusedName({ database }: Installation, name: string): Promise<void> {
  if (await database.read((snapshot) => findAccountByName(snapshot, nameKey(name))))
    throw nameIsTaken(canonicalName(name))
}

type AccountToInsert = Omit<Account, 'uid'>

export async function accountFrom(given: NewAccount, now: number): Promise<AccountToInsert> {
  const name = canonicalName(given.name)
  const mail = canonicalMail(given.mail ?? '')
  return {
    uuid: randomUUID(),
    name,
    name_key: nameKey(name),
    mail,
    mail_key: textKey(mail),
    language: given.language ?? 'en',
    timezone: null,
    role: given.role,
    password_hash: await hashPassword(given),
    blocked: 0,
    created: now,
  }
}

export async function insertNewAccount(tx: Transaction, account: AccountToInsert): Promise<AccountView> {
  if (await findAccountByName(tx, account.name_key)) throw nameIsTaken(account.name)
  const inserted = await insertAccount(tx, account)
  await note(tx, 'account-added', { at: account.created, uid: inserted.uid })
  return viewOf(inserted)
}

export function nameIsTaken(name: string): Refusal {
  return new Refusal('conflict', `There is already an account named "${name}": choose another name.`)
}

export async function listAccounts({ database }: Installation): Promise<AccountView[]> {
  return (await database.read(allAccounts)).map(viewOf)
}

export async function accountsByIds(snapshot: Snapshot, ids: readonly number[]): Promise<Map<number, AccountView>> {
  return new Map((await findAccounts(snapshot, ids)).map((account) => [account.uid, viewOf(account)]))
}

/** An account by name (command line) or by uid, with the account that changes it. */
type AccountReference = string | { readonly uid: number; readonly by: number }

/** Also ends every session and token of the account, and every link that it made or that was made for it. */
export async function blockAccount(installation: Installation, whom: AccountReference): Promise<void> {
  await change(installation, { whom, event: 'account-blocked' }, async (tx, { uid }) => {
    await keepSomebodyInCharge(tx, uid)
    await updateAccount(tx, uid, { blocked: 1 })
    await endEverythingOf(tx, uid)
    await deleteInvitationsBy(tx, uid)
  })
}

export async function unblockAccount(installation: Installation, whom: AccountReference): Promise<void> {
  await change(installation, { whom, event: 'account-unblocked' }, (tx, { uid }) =>
    updateAccount(tx, uid, { blocked: 0 }),
  )
}

export async function setRole(
  installation: Installation,
  whom: AccountReference,
  role: RoleName | null,
): Promise<void> {
  await change(installation, { whom, event: 'role-changed' }, async (tx, { uid, name, password_hash }) => {
    if (password_hash === null)
      throw new Refusal('invalid-content', `"${name}" belongs to a client: its role comes from its scopes.`)
    if (role !== 'manager') {
      await keepSomebodyInCharge(tx, uid)
      await deleteInvitationsBy(tx, uid)
    }
    await updateAccount(tx, uid, { role })
  })
}

/** Ends every session and token of the account, for example after a device is lost. */
export async function endAccessOf(installation: Installation, whom: AccountReference): Promise<void> {
  await change(installation, { whom, event: 'sessions-ended' }, (tx, { uid }) => endEverythingOf(tx, uid))
}

/** Refuses a new password for an unknown account, or for one that cannot log in. */
export async function requireAccountWithPassword({ database }: Installation, name: string): Promise<void> {
  const account = await database.read((snapshot) => findAccountByName(snapshot, nameKey(name)))
  if (account === undefined) throw noSuchAccount(name)
  refuseWithoutPassword(account)
}

export function refuseWithoutPassword({ name, password_hash }: Account): void {
  if (password_hash === null) throw new Refusal('invalid-content', `"${name}" belongs to a client and has no password.`)
}

export const noSuchAccount = (whom: string | { readonly uid: number }): Refusal =>
  typeof whom === 'string'
    ? new Refusal('not-found', `There is no account named "${whom}": \`furrow user list\` lists them.`)
    : new Refusal('not-found', `There is no account ${whom.uid}: /administer/people.json lists them.`)

/** Also ends every session and token opened with the old password. */
export async function setPassword(
  installation: Installation,
  given: NewPassword & { readonly name: string },
): Promise<void> {
  const passwordHash = await hashPassword(given)
  await change(installation, { whom: given.name, event: 'password-changed' }, async (tx, account) => {
    refuseWithoutPassword(account)
    await putPassword(tx, account.uid, passwordHash)
  })
}

export async function putPassword(tx: Transaction, uid: number, passwordHash: string): Promise<void> {
  await updateAccount(tx, uid, { password_hash: passwordHash })
  await endEverythingOf(tx, uid)
}

/** Changes the user's own password; the current session continues. */
export async function replacePassword(
  installation: Installation,
  uid: number,
  given: NewPassword & { readonly session: string },
): Promise<void> {
  const passwordHash = await hashPassword(given)
  await installation.database.write(async (tx) => {
    await lockAccountToChange(tx, uid)
    await updateAccount(tx, uid, { password_hash: passwordHash })
    await endOtherAccess(tx, uid, given.session)
    await note(tx, 'password-changed', { at: installation.clock(), uid })
  })
}

/** Ends every other session, every token, and every password link. */
export async function endOtherAccess(tx: Transaction, uid: number, session: string): Promise<void> {
  await deleteSessionsOf(tx, uid, hashOf(session))
  await deleteInvitationsFor(tx, uid)
  await endGrants(tx, { uid })
}

/** An account with records is blocked instead, so that its records keep their author. */
export async function removeAccount(installation: Installation, whom: AccountReference): Promise<'removed' | 'kept'> {
  let outcome: 'removed' | 'kept' = 'removed'
  await change(installation, { whom, event: 'account-removed' }, async (tx, account) => {
    if (account.password_hash === null) {
      throw new Refusal('invalid-content', `"${account.name}" belongs to a client: remove the client.`)
    }
    await keepSomebodyInCharge(tx, account.uid)
    outcome = await removeOrBlock(tx, account.uid)
  })
  return outcome
}

/** Refuses to remove the last manager: nobody could run the farm any more. */
async function keepSomebodyInCharge(tx: Transaction, uid: number): Promise<void> {
  const managers = await lockManagers(tx)
  if (managers.length !== 1 || managers[0] !== uid) return
  throw new Refusal(
    'conflict',
    'This is the last manager of the farm. Make another one first: invite one, or give the role to somebody who is there ' +
      '(`furrow user add NAME --role manager`, `furrow user set-role NAME manager`). To shut out whoever knows the ' +
      'password, a new one is enough (`furrow user set-password NAME`).',
  )
}

export async function removeOrBlock(tx: Transaction, uid: number): Promise<'removed' | 'kept'> {
  await lockAccountToChange(tx, uid)
  await endEverythingOf(tx, uid)
  await deleteInvitationsBy(tx, uid)
  if (await isNamedSomewhere(tx, uid)) {
    await updateAccount(tx, uid, { blocked: 1 })
    return 'kept'
  }
  await deleteAccount(tx, uid)
  return 'removed'
}

async function endEverythingOf(tx: Transaction, uid: number): Promise<void> {
  await deleteSessionsOf(tx, uid, null)
  await endGrants(tx, { uid })
  await deleteInvitationsFor(tx, uid)
}

interface Change {
  readonly whom: AccountReference
  readonly event: AccessEvent
}

type AccountWork = (tx: Transaction, account: Account) => Promise<void>

async function change({ database, clock }: Installation, { whom, event }: Change, work: AccountWork): Promise<void> {
  await database.write(async (tx) => {
    // Locks all managers before the account itself. Another order could deadlock.
    await lockManagers(tx)
    const meant = typeof whom === 'string' ? await findAccountByName(tx, nameKey(whom)) : whom
    const account = meant && (await lockAccountToChange(tx, meant.uid))
    if (!account) throw noSuchAccount(whom)
    await work(tx, account)
    await note(tx, event, { at: clock(), uid: account.uid, actor: actorOf(whom) })
  })
}

const actorOf = (whom: AccountReference): number | undefined => (typeof whom === 'string' ? undefined : whom.by)
