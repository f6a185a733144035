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
  lockAccountsToName,
  lockAccountToChange,
  lockManagers,
  updateAccount,
} from '../storage/access/account-rows.ts'
import { deleteSessionsOf } from '../storage/access/session-rows.ts'
import { endGrants } from '../storage/access/token-rows.ts'
import type { Reading, Writing } from '../storage/database.ts'
import { isUniqueViolation } from '../storage/unique-violation.ts'
import { type AccessEvent, note } from './events.ts'
import type { Ground } from './ground.ts'
import { canonicalMail, canonicalName, nameKey } from './names.ts'
import { hashPassword, type NewPassword } from './passwords.ts'
import { hashOf } from './secrets.ts'
import { closeSetup } from './setup-state.ts'

export interface NewAccount extends NewPassword {
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
  readonly role: RoleName | null
  readonly blocked: boolean
  /** Belongs to a client and cannot log in. */
  readonly isService: boolean
  readonly created: number
}

function viewOf(account: Account): AccountView {
  const { uid, uuid, name, mail, language, role, created } = account
  return {
    uid,
    uuid,
    name,
    mail,
    language,
    role,
    created,
    blocked: account.blocked === 1,
    isService: account.password_hash === null,
  }
}

export async function addAccount({ database, clock }: Ground, given: NewAccount): Promise<AccountView> {
  const account = await accountFrom(given, clock())
  try {
    return await database.write(async (rows) => {
      await closeSetup(rows, clock())
      return insertNewAccount(rows, account)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw nameIsTaken(account.name)
    throw error
  }
}

/** What can be refused of a new account before anybody types its password: by itself, and in a farm that has others. */
export function requireSoundAccount({ name, mail = '' }: Pick<NewAccount, 'name' | 'mail'>): void {
  canonicalName(name)
  canonicalMail(mail)
}

export async function requireUnusedName({ database }: Ground, name: string): Promise<void> {
  if (await database.read((rows) => findAccountByName(rows, nameKey(name)))) throw nameIsTaken(canonicalName(name))
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
    role: given.role,
    password_hash: await hashPassword(given),
    blocked: 0,
    created: now,
  }
}

export async function insertNewAccount(rows: Writing, account: AccountToInsert): Promise<AccountView> {
  if (await findAccountByName(rows, account.name_key)) throw nameIsTaken(account.name)
  const inserted = await insertAccount(rows, account)
  await note(rows, 'account-added', { at: account.created, uid: inserted.uid })
  return viewOf(inserted)
}

function nameIsTaken(name: string): Refusal {
  return new Refusal('conflict', `There is already an account named "${name}": choose another name.`)
}

export async function listAccounts({ database }: Ground): Promise<AccountView[]> {
  return (await database.read(allAccounts)).map(viewOf)
}

export async function accountsByIds(rows: Reading, ids: readonly number[]): Promise<Map<number, AccountView>> {
  return new Map((await findAccounts(rows, ids)).map((account) => [account.uid, viewOf(account)]))
}

/** Who is about to sign a change may have been blocked or removed since they were asked who they are. */
export async function requireStillThere(rows: Writing, { uid }: Pick<Account, 'uid'>): Promise<void> {
  const [account] = await lockAccountsToName(rows, [uid])
  if (!account || account.blocked) throw new Refusal('unauthenticated', 'This account was blocked or removed.')
}

/** Every session and token of the account ends with it. */
export async function blockAccount(ground: Ground, name: string): Promise<void> {
  await change(ground, { name, event: 'account-blocked' }, async (rows, { uid }) => {
    await keepSomebodyInCharge(rows, uid)
    await updateAccount(rows, uid, { blocked: 1 })
    await endEverythingOf(rows, uid)
  })
}

export async function unblockAccount(ground: Ground, name: string): Promise<void> {
  await change(ground, { name, event: 'account-unblocked' }, (rows, { uid }) =>
    updateAccount(rows, uid, { blocked: 0 }),
  )
}

export async function setRole(ground: Ground, name: string, role: RoleName | null): Promise<void> {
  await change(ground, { name, event: 'role-changed' }, async (rows, { uid, password_hash }) => {
    if (password_hash === null)
      throw new Refusal('invalid-content', `"${name}" belongs to a client: its role comes from its scopes.`)
    if (role !== 'manager') await keepSomebodyInCharge(rows, uid)
    await updateAccount(rows, uid, { role })
  })
}

/** Likewise of a new password: only an account that is there and logs in can have one. */
export async function requireAccountWithPassword({ database }: Ground, name: string): Promise<void> {
  const account = await database.read((rows) => findAccountByName(rows, nameKey(name)))
  if (account === undefined) throw noSuchAccount(name)
  refuseWithoutPassword(account, name)
}

function refuseWithoutPassword({ password_hash }: Account, name: string): void {
  if (password_hash === null) throw new Refusal('invalid-content', `"${name}" belongs to a client and has no password.`)
}

const noSuchAccount = (name: string): Refusal =>
  new Refusal('not-found', `There is no account named "${name}": \`furrow user list\` lists them.`)

/** A new password ends every session and token that was opened with the old one. */
export async function setPassword(ground: Ground, given: NewPassword & { readonly name: string }): Promise<void> {
  const passwordHash = await hashPassword(given)
  await change(ground, { name: given.name, event: 'password-changed' }, async (rows, account) => {
    refuseWithoutPassword(account, given.name)
    await updateAccount(rows, account.uid, { password_hash: passwordHash })
    await endEverythingOf(rows, account.uid)
  })
}

/** Likewise, but the session in which the user changed it goes on. */
export async function replacePassword(
  ground: Ground,
  uid: number,
  given: NewPassword & { readonly session: string },
): Promise<void> {
  const passwordHash = await hashPassword(given)
  await ground.database.write(async (rows) => {
    await lockAccountToChange(rows, uid)
    await updateAccount(rows, uid, { password_hash: passwordHash })
    await deleteSessionsOf(rows, uid, hashOf(given.session))
    await endGrants(rows, { uid })
    await note(rows, 'password-changed', { at: ground.clock(), uid })
  })
}

/** An account that recorded something is blocked and kept, so that its records keep their author. */
export async function removeAccount(ground: Ground, name: string): Promise<'removed' | 'kept'> {
  let outcome: 'removed' | 'kept' = 'removed'
  await change(ground, { name, event: 'account-removed' }, async (rows, account) => {
    if (account.password_hash === null) {
      throw new Refusal('invalid-content', `"${name}" belongs to a client: remove the client.`)
    }
    await keepSomebodyInCharge(rows, account.uid)
    outcome = await removeOrBlock(rows, account.uid)
  })
  return outcome
}

/** A farm whose last manager is gone could be run by nobody, and nobody would notice before it matters. */
async function keepSomebodyInCharge(rows: Writing, uid: number): Promise<void> {
  const managers = await lockManagers(rows)
  if (managers.length !== 1 || managers[0] !== uid) return
  throw new Refusal(
    'conflict',
    'This is the last manager of the farm. Make another one first, with `furrow user add NAME --role manager` or ' +
      '`furrow user set-role NAME manager`. To shut out whoever knows the password, `furrow user set-password` is enough.',
  )
}

export async function removeOrBlock(rows: Writing, uid: number): Promise<'removed' | 'kept'> {
  await lockAccountToChange(rows, uid)
  await endEverythingOf(rows, uid)
  if (await isNamedSomewhere(rows, uid)) {
    await updateAccount(rows, uid, { blocked: 1 })
    return 'kept'
  }
  await deleteAccount(rows, uid)
  return 'removed'
}

async function endEverythingOf(rows: Writing, uid: number): Promise<void> {
  await deleteSessionsOf(rows, uid, null)
  await endGrants(rows, { uid })
}

interface Change {
  readonly name: string
  readonly event: AccessEvent
}

type AccountWork = (rows: Writing, account: Account) => Promise<void>

async function change({ database, clock }: Ground, { name, event }: Change, work: AccountWork): Promise<void> {
  await database.write(async (rows) => {
    // Managers before the one that is meant, who may be one of them: changes that lock in another order would wait for each other.
    await lockManagers(rows)
    const named = await findAccountByName(rows, nameKey(name))
    const account = named && (await lockAccountToChange(rows, named.uid))
    if (!account) throw noSuchAccount(name)
    await work(rows, account)
    await note(rows, event, { at: clock(), uid: account.uid })
  })
}
