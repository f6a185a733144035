import type { ClientDeclaration } from '../../farm/people/clients.ts'
import { Refusal } from '../../refusal.ts'
import { deleteClient, putClient } from '../../storage/access/client-rows.ts'
import { endGrants } from '../../storage/access/token-rows.ts'
import type { Writing } from '../../storage/database.ts'
import { removeOrBlock } from '../accounts.ts'
import { note } from '../events.ts'
import type { Ground } from '../ground.ts'
import { hashOf, newSecret } from '../secrets.ts'
import { requireSoundClient } from './client-rules.ts'
import { allClients, type Client, clientToChange, findClient, lifetimes, toStored } from './clients.ts'
import { keepServiceAccount } from './service-account.ts'

/** What can be said about a client; what is left undefined stays as it is, or takes its default. */
export type ClientChange = {
  readonly [K in keyof Omit<ClientDeclaration, 'id'>]?: ClientDeclaration[K] | undefined
} & { readonly disabled?: boolean | undefined }

export type NewClient = ClientChange & {
  readonly id: string
  readonly label: string
  /** Whether it gets a secret, to be kept on a server. */
  readonly secret?: boolean | undefined
}

/** A client's secret is shown once and never again. */
export interface Registered {
  readonly client: Client
  readonly secret: string | null
}

export async function addClient(
  ground: Ground,
  { id, label, secret: keepsSecret, ...given }: NewClient,
): Promise<Registered> {
  const secret = keepsSecret ? newSecret() : null
  const client = changed(
    {
      id,
      label,
      grants: ['authorization_code', 'refresh_token'],
      scopes: ground.farm.scopes.map(({ name }) => name),
      defaultScopes: [],
      redirectUris: [],
      origins: [],
      pkce: secret === null ? 'required' : 'optional',
      expiresIn: 'string',
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
  const stored = await ground.database.write(async (rows) => {
    if (await clientToChange(ground, rows, id)) throw new Refusal('conflict', `There is already a client "${id}".`)
    await note(rows, 'client-added', { at: ground.clock(), client: id })
    return store(ground, rows, client)
  })
  return { client: stored, secret }
}

export async function listClients(ground: Ground): Promise<Client[]> {
  return ground.database.read((rows) => allClients(ground, rows))
}

export async function showClient(ground: Ground, id: string): Promise<Client> {
  const client = await ground.database.read((rows) => findClient(ground, rows, id))
  if (!client) throw noSuchClient(id)
  return client
}

/** Tokens end with a client that is disabled or loses a scope. */
export async function setClient(ground: Ground, id: string, given: ClientChange): Promise<Client> {
  return ground.database.write(async (rows) => {
    const before = await mustFind(ground, rows, id)
    const after = changed(before, given)
    await note(rows, 'client-changed', { at: ground.clock(), client: id })
    if (after.disabled || !before.scopes.every((scope) => after.scopes.includes(scope)))
      await endGrants(rows, { client: id })
    return store(ground, rows, after)
  })
}

export async function removeClient(ground: Ground, id: string): Promise<void> {
  await ground.database.write(async (rows) => {
    const client = await mustFind(ground, rows, id)
    if (client.declaration) {
      throw new Refusal('invalid-content', `"${id}" comes with this installation: it cannot be removed, but disabled.`)
    }
    await endGrants(rows, { client: id })
    await deleteClient(rows, id)
    if (client.serviceUid !== null) await removeOrBlock(rows, client.serviceUid)
    await note(rows, 'client-removed', { at: ground.clock(), client: id })
  })
}

/** Gives the new secret; the one before, if there was one, is worth nothing from now on. */
export async function rotateSecret(ground: Ground, id: string): Promise<string> {
  const secret = newSecret()
  await ground.database.write(async (rows) => {
    const client = await mustFind(ground, rows, id)
    await store(ground, rows, { ...client, secretHash: hashOf(secret) })
    await note(rows, 'client-secret-rotated', { at: ground.clock(), client: id })
  })
  return secret
}

function changed(client: Client, given: ClientChange): Client {
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...client, ...Object.fromEntries(said) }
}

async function store(ground: Ground, rows: Writing, client: Client): Promise<Client> {
  requireSoundClient(ground.farm, client)
  const now = ground.clock()
  const serviceUid = await keepServiceAccount(rows, client, { farm: ground.farm, now })
  const stored = { ...client, serviceUid }
  await putClient(rows, toStored(stored, now))
  return stored
}

async function mustFind(ground: Ground, rows: Writing, id: string): Promise<Client> {
  const client = await clientToChange(ground, rows, id)
  if (!client) throw noSuchClient(id)
  return client
}

function noSuchClient(id: string): Refusal {
  return new Refusal('not-found', `There is no client "${id}": \`furrow client list\` lists them.`)
}
