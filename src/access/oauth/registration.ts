import { randomUUID } from 'node:crypto'
import type { Farm } from '../../farm/farm.ts'
import type { ClientDeclaration } from '../../farm/people/clients.ts'
import { type Role, type RoleName, roles } from '../../farm/people/roles.ts'
import { takesNaming } from '../../farm/people/scopes.ts'
import { Refusal } from '../../refusal.ts'
import { findAccountByName, insertAccount, updateAccount } from '../../storage/access/account-rows.ts'
import { deleteClient, putClient } from '../../storage/access/client-rows.ts'
import { deleteInvitationsBy } from '../../storage/access/invitation-rows.ts'
import { endGrants } from '../../storage/access/token-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { removeOrBlock } from '../accounts.ts'
import { note } from '../events.ts'
import type { Installation } from '../installation.ts'
import { nameKey } from '../names.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { requireLabel, requireSoundClient } from './client-rules.ts'
import {
  allClients,
  clientToChange,
  findClient,
  lifetimes,
  type OAuthClient,
  scopesNamed,
  toStored,
} from './clients.ts'

/** A field left undefined keeps its value or gets its default. */
export type ClientChange = {
  readonly [K in keyof Omit<ClientDeclaration, 'id'>]?: ClientDeclaration[K] | undefined
} & { readonly disabled?: boolean | undefined }

export type NewClient = ClientChange & {
  readonly id: string
  readonly label: string
  /** True for a confidential client. */
  readonly secret?: boolean | undefined
}

/** A client's secret is shown once. */
interface RegisteredClient {
  readonly client: OAuthClient
  readonly secret: string | null
}

export async function addClient(
  installation: Installation,
  { id, label, secret: keepsSecret, ...given }: NewClient,
): Promise<RegisteredClient> {
  requireLabel(label)
  const secret = keepsSecret ? newSecret() : null
  const client = changed(
    {
      id,
      label,
      grants: ['authorization_code', 'refresh_token'],
      scopes: installation.farm.scopes.filter((scope) => !takesNaming(scope)).map(({ name }) => name),
      defaultScopes: given.scopes ?? [],
      redirectUris: [],
      origins: [],
      pkce: secret === null ? 'required' : 'optional',
      expiresIn: 'by-scope',
      accessLifetime: lifetimes.access,
      refreshLifetime: lifetimes.refresh,
      codeLifetime: lifetimes.code,
      secretHash: secret && hashOf(secret),
      disabled: false,
      registered: true,
      serviceUid: null,
      declaration: null,
    },
    given,
  )
  if (client.grants.includes('client_credentials') && given.scopes === undefined) {
    throw new Refusal(
      'invalid-content',
      'A client that acts on its own needs its scopes named: they decide what it may do.',
    )
  }
  const stored = await installation.database.write(async (tx) => {
    if (await clientToChange(installation, tx, id)) throw new Refusal('conflict', `There is already a client "${id}".`)
    await note(tx, 'client-added', { at: installation.clock(), client: id })
    return store(installation, tx, client)
  })
  return { client: stored, secret }
}

export async function listClients(installation: Installation): Promise<OAuthClient[]> {
  return installation.database.read((snapshot) => allClients(installation, snapshot))
}

export async function showClient(installation: Installation, id: string): Promise<OAuthClient> {
  const client = await installation.database.read((snapshot) => findClient(installation, snapshot, id))
  if (!client) throw noSuchClient(id)
  return client
}

/** A client by id, and the account that changes it; the command line has none. */
type WhichClient = string | { readonly id: string; readonly by: number }

/** Disabling a client or removing a scope also revokes its tokens, and links that it made. */
export async function setClient(
  installation: Installation,
  which: WhichClient,
  given: ClientChange,
): Promise<OAuthClient> {
  const { id, by: actor } = typeof which === 'string' ? { id: which, by: undefined } : which
  return installation.database.write(async (tx) => {
    const before = await mustFind(installation, tx, id)
    const after = changed(before, given)
    if (after.label !== before.label) requireLabel(after.label)
    await note(tx, 'client-changed', { at: installation.clock(), client: id, actor })
    if (after.disabled || !before.scopes.every((scope) => after.scopes.includes(scope))) {
      await endGrants(tx, { client: id })
      if (before.serviceUid !== null) await deleteInvitationsBy(tx, before.serviceUid)
    }
    return store(installation, tx, after)
  })
}

export async function removeClient(installation: Installation, id: string): Promise<void> {
  await installation.database.write(async (tx) => {
    const client = await mustFind(installation, tx, id)
    if (client.declaration) {
      throw new Refusal('invalid-content', `"${id}" comes with this installation: it cannot be removed, but disabled.`)
    }
    await endGrants(tx, { client: id })
    await deleteClient(tx, id)
    if (client.serviceUid !== null) await removeOrBlock(tx, client.serviceUid)
    await note(tx, 'client-removed', { at: installation.clock(), client: id })
  })
}

/** Returns the new secret; the previous one stops working. */
export async function rotateSecret(installation: Installation, id: string): Promise<string> {
  const secret = newSecret()
  await installation.database.write(async (tx) => {
    const client = await mustFind(installation, tx, id)
    await store(installation, tx, { ...client, secretHash: hashOf(secret) })
    await note(tx, 'client-secret-rotated', { at: installation.clock(), client: id })
  })
  return secret
}

function changed(client: OAuthClient, given: ClientChange): OAuthClient {
  const givenEntries = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...client, ...Object.fromEntries(givenEntries) }
}

async function store(installation: Installation, tx: Transaction, client: OAuthClient): Promise<OAuthClient> {
  requireSoundClient(installation.farm, client)
  const now = installation.clock()
  const serviceUid = await keepServiceAccount(tx, client, { farm: installation.farm, now })
  const stored = { ...client, serviceUid }
  await putClient(tx, toStored(stored, now))
  return stored
}

async function mustFind(installation: Installation, tx: Transaction, id: string): Promise<OAuthClient> {
  const client = await clientToChange(installation, tx, id)
  if (!client) throw noSuchClient(id)
  return client
}

function noSuchClient(id: string): Refusal {
  return new Refusal('not-found', `There is no client "${id}": \`furrow client list\` lists them.`)
}

interface FarmNow {
  readonly farm: Farm
  readonly now: number
}

/** A client with the client credentials grant gets a service account; others lose theirs. */
async function keepServiceAccount(
  tx: Transaction,
  client: OAuthClient,
  { farm, now }: FarmNow,
): Promise<number | null> {
  if (!client.grants.includes('client_credentials')) {
    if (client.serviceUid !== null) await removeOrBlock(tx, client.serviceUid)
    return null
  }
  const role = roleCovering(farm, client.scopes)
  if (client.serviceUid !== null) {
    await updateAccount(tx, client.serviceUid, { role, blocked: 0 })
    return client.serviceUid
  }
  return (await revived(tx, client, role)) ?? (await created(tx, client, { role, now }))
}

/** A removed client with records left its account behind. A new client of the same id takes it over. */
async function revived(tx: Transaction, { id }: OAuthClient, role: RoleName | null): Promise<number | null> {
  const account = await findAccountByName(tx, nameKey(id))
  if (!account) return null
  if (account.password_hash !== null || account.name !== id) {
    throw new Refusal('invalid-content', `There is a user named "${account.name}": choose another client id.`)
  }
  await updateAccount(tx, account.uid, { role, blocked: 0 })
  return account.uid
}

async function created(
  tx: Transaction,
  { id }: OAuthClient,
  given: { role: RoleName | null; now: number },
): Promise<number> {
  const account = await insertAccount(tx, {
    uuid: randomUUID(),
    name: id,
    name_key: nameKey(id),
    mail: '',
    mail_key: '',
    language: 'en',
    role: given.role,
    password_hash: null,
    blocked: 0,
    created: given.now,
  })
  return account.uid
}

/** The lowest role that covers all the scopes. */
function roleCovering(farm: Farm, names: readonly string[]): RoleName | null {
  const needed = scopesNamed(farm, names.join(' ')).flatMap(({ rights }) => (rights === 'own' ? [] : rights))
  if (needed.length === 0) return null
  const fromLeast: readonly Role[] = [roles.viewer, roles.worker, roles.manager]
  return fromLeast.find(({ rights }) => needed.every((right) => rights.includes(right)))?.name ?? 'manager'
}
