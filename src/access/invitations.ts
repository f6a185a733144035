import type { RoleName } from '../farm/people/roles.ts'
import { Refusal } from '../refusal.ts'
import {
  type Account,
  findAccounts,
  lockAccountToAdmit,
  lockAccountToChange,
  lockManagers,
} from '../storage/access/account-rows.ts'
import {
  deleteInvitationsFor,
  findInvitation,
  type InvitationEntry,
  insertInvitation,
  openInvitations,
  takeInvitation,
} from '../storage/access/invitation-rows.ts'
import type { Transaction } from '../storage/database.ts'
import { readFarmSettings } from '../storage/settings.ts'
import { holdTogether } from '../storage/sql/advisory-locks.ts'
import { isUniqueViolation } from '../storage/sql/errors.ts'
import {
  accountFrom,
  insertNewAccount,
  nameIsTaken,
  noSuchAccount,
  putPassword,
  refuseWithoutPassword,
} from './accounts.ts'
import { principalOf, rightsOf } from './caller.ts'
import type { Visitor } from './credentials.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { knownLanguage } from './locales.ts'
import { countWrongKey } from './login.ts'
import { canonicalName } from './names.ts'
import { hashPassword } from './passwords.ts'
import { hashOf, newSecret } from './secrets.ts'
import type { ConfirmedSession } from './sessions.ts'
import { closeSetup } from './setup-state.ts'

const day = 86_400

/** Lifetime of links for new accounts. */
const accountLifetime = 7 * day

/** The key is shown once, to the maker of the link. */
interface InvitationLink {
  readonly id: number
  readonly key: string
  readonly expires: number
}

interface NewInvitation {
  readonly role: RoleName | null
  /** The invited person, as a note in the list. */
  readonly name: string
  /** Null: the command line. */
  readonly by: number | null
}

/** Makes a link that lets its holder create one account. */
export async function invite(installation: Installation, { role, name, by }: NewInvitation): Promise<InvitationLink> {
  const meant = name.trim() === '' ? '' : canonicalName(name)
  return installation.database.write(async (tx) => {
    const link = await makeLink(tx, installation, {
      kind: 'account',
      name: meant,
      role,
      made_by: by,
      lifetime: accountLifetime,
    })
    await note(tx, 'invitation-made', { at: installation.clock(), actor: by ?? undefined })
    return link
  })
}

/** Makes a link that lets its holder set a new password once. Earlier links of the account become invalid. */
export async function makePasswordLink(
  installation: Installation,
  { uid, by, holds = 'a day' }: { readonly uid: number; readonly by: number; readonly holds?: 'a day' | 'a week' },
): Promise<InvitationLink> {
  return installation.database.write(async (tx) => {
    await lockManagers(tx)
    const account = await lockAccountToChange(tx, uid)
    if (!account) throw noSuchAccount({ uid })
    refuseWithoutPassword(account)
    if (account.blocked) throw new Refusal('conflict', `"${account.name}" is blocked: unblock the account first.`)
    await deleteInvitationsFor(tx, uid)
    const mark = { uid, password_mark: markOf(account) }
    const link = await makeLink(tx, installation, {
      kind: 'password',
      name: account.name,
      made_by: by,
      ...mark,
      lifetime: holds === 'a week' ? 7 * day : day,
    })
    await note(tx, 'password-link-made', { at: installation.clock(), uid, actor: by })
    return link
  })
}

type NewLink = Pick<InvitationEntry, 'kind' | 'name' | 'made_by'> &
  Partial<Pick<InvitationEntry, 'role' | 'uid' | 'password_mark'>> & { readonly lifetime: number }

async function makeLink(
  tx: Transaction,
  { clock }: Installation,
  { lifetime, ...link }: NewLink,
): Promise<InvitationLink> {
  const [key, now] = [newSecret(), clock()]
  const expires = now + lifetime
  const { id } = await insertInvitation(tx, {
    role: null,
    uid: null,
    password_mark: null,
    ...link,
    hash: hashOf(key),
    created: now,
    expires,
  })
  return { id, key, expires }
}

/** Changes with every change of the password, also to the same one. */
const markOf = ({ password_hash }: Pick<Account, 'password_hash'>): string => hashOf(password_hash ?? '')

export interface OpenInvitation {
  readonly id: number
  readonly kind: InvitationEntry['kind']
  readonly name: string
  readonly role: RoleName | null
  /** The account that gets a new password. */
  readonly uid: number | null
  readonly by: Pick<Account, 'uid' | 'name'> | null
  readonly created: number
  readonly expires: number
}

/** Valid invitations, newest first. */
export async function listInvitations({ database, clock }: Installation): Promise<OpenInvitation[]> {
  return database.read(async (snapshot) => {
    const open = await openInvitations(snapshot, clock())
    const makers = await findAccounts(snapshot, [...new Set(open.flatMap(({ made_by }) => made_by ?? []))])
    return open.map(({ id, kind, name, role, uid, made_by, created, expires }) => {
      const by = makers.find((maker) => maker.uid === made_by) ?? null
      return { id, kind, name, role, uid, by, created, expires }
    })
  })
}

export async function revokeInvitation(
  { database, clock }: Installation,
  { id, by }: { readonly id: number; readonly by: number },
): Promise<void> {
  await database.write(async (tx) => {
    const open = (await openInvitations(tx, clock())).find((invitation) => invitation.id === id)
    if (open === undefined || !(await takeInvitation(tx, id))) {
      throw new Refusal('not-found', `There is no open invitation ${id}: it was used, revoked, or its time is over.`)
    }
    const event = open.kind === 'account' ? 'invitation-revoked' : 'password-link-revoked'
    await note(tx, event, { at: clock(), uid: open.uid ?? undefined, actor: by })
  })
}

interface Guest extends Visitor {
  readonly key: string
  readonly name: string
  readonly password: string
  /** Default: the language of the farm. */
  readonly language?: string | undefined
}

/** Creates the account of an invitation. After a refusal (name taken, password too short) the key stays valid. */
export async function acceptInvitation(installation: Installation, guest: Guest): Promise<ConfirmedSession> {
  return withKey(installation, { guest, kind: 'account' }, async (invitation) => {
    const { name, password } = guest
    const { language: usual } = await installation.database.read(readFarmSettings)
    const language = knownLanguage(installation.farm, guest.language ?? usual)
    const account = await accountFrom({ name, password, language, role: invitation.role }, installation.clock())
    try {
      return await installation.database.write(async (tx) => {
        await spend(tx, invitation)
        await closeSetup(tx, account.created)
        const { uid } = await insertNewAccount(tx, account)
        const { address } = guest
        await note(tx, 'invitation-used', { at: account.created, uid, address, actor: invitation.made_by ?? undefined })
        return { uid, password_hash: account.password_hash }
      })
    } catch (error) {
      if (isUniqueViolation(error)) throw nameIsTaken(account.name)
      throw error
    }
  })
}

/** Also ends every session and token of the account. */
export async function acceptPasswordLink(
  installation: Installation,
  guest: Pick<Guest, 'key' | 'password' | keyof Visitor>,
): Promise<ConfirmedSession> {
  return withKey(installation, { guest, kind: 'password' }, async (invitation) => {
    const passwordHash = await hashPassword(guest)
    return installation.database.write(async (tx) => {
      await spend(tx, invitation)
      const account = await lockAccountToChange(tx, invitation.uid ?? 0)
      if (!account || account.blocked || markOf(account) !== invitation.password_mark) throw notThere()
      await putPassword(tx, account.uid, passwordHash)
      const concerned = { at: installation.clock(), uid: account.uid, address: guest.address }
      await note(tx, 'password-link-used', { ...concerned, actor: invitation.made_by ?? undefined })
      return { uid: account.uid, password_hash: passwordHash }
    })
  })
}

/** All cases get the same refusal, so that nobody learns which one it is. */
const notThere = (): Refusal =>
  new Refusal('not-found', 'This link does not work: it was used, its time is over, or somebody took it back.')

interface PresentedLink {
  readonly guest: Pick<Guest, 'key' | keyof Visitor>
  readonly kind: InvitationEntry['kind']
}

async function withKey<T>(
  installation: Installation,
  { guest, kind }: PresentedLink,
  work: (invitation: InvitationEntry) => Promise<T>,
): Promise<T> {
  const now = installation.clock()
  const invitation = await installation.database.read((snapshot) => findInvitation(snapshot, hashOf(guest.key), now))
  try {
    if (invitation?.kind !== kind) throw notThere()
    return await work(invitation)
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'not-found') await countWrongKey(installation, guest)
    throw error
  }
}

/**
 * Uses up a link: if several requests race, one wins. Refused if its maker lost the right to make links. Managers are
 * locked first, as in every change of an account.
 */
async function spend(tx: Transaction, { id, made_by }: InvitationEntry): Promise<void> {
  await holdTogether(tx, 'clients')
  await lockManagers(tx)
  const maker = made_by === null ? null : await lockAccountToAdmit(tx, made_by)
  const mayInvite = maker === null || (maker && rightsOf(principalOf(maker), null).has('administer'))
  if (!mayInvite || !(await takeInvitation(tx, id))) throw notThere()
}
