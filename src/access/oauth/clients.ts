import { type ClientDeclaration, developmentClient, type Grant } from '../../farm/people/clients.ts'
import { allStoredClients, findStoredClient, type StoredClient } from '../../storage/access/client-rows.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import { holdAlone, holdTogether } from '../../storage/sql/advisory-locks.ts'
import type { Installation } from '../installation.ts'

export interface OAuthClient extends Required<Omit<ClientDeclaration, 'only'>> {
  /** Null: the client keeps no secret. */
  readonly secretHash: string | null
  readonly disabled: boolean
  /** By command, and not declared by anything. */
  readonly registered: boolean
  readonly serviceUid: number | null
  /** By the catalogue, a module or a setting; null where it was registered here. */
  readonly declaration: ClientDeclaration | null
}

export const lifetimes = { access: 3600, refresh: 14 * 86_400, code: 60 } as const

export function declaredClients({ farm, settings }: Installation): readonly ClientDeclaration[] {
  const id = settings.developmentClient
  return id === null ? farm.clients : [...farm.clients, developmentClient(id)]
}

export function isDeclared(installation: Installation, id: string): boolean {
  return declaredClients(installation).some((client) => client.id === id)
}

export async function findClient(
  installation: Installation,
  snapshot: Snapshot,
  id: string,
): Promise<OAuthClient | null> {
  const declaration = declaredClients(installation).find((client) => client.id === id) ?? null
  const stored = await findStoredClient(snapshot, id)
  if (stored && (stored.registered === 1 || declaration)) return fromStored(stored, declaration)
  return declaration && fromDeclaration(declaration)
}

/** A client that is about to be given something: until that is done it stays as it is. */
export async function clientToAdmit(
  installation: Installation,
  tx: Transaction,
  id: string,
): Promise<OAuthClient | null> {
  await holdTogether(tx, 'clients')
  return findClient(installation, tx, id)
}

/** A client that is about to be changed: whoever was to be given something has it, and can lose it again. */
export async function clientToChange(
  installation: Installation,
  tx: Transaction,
  id: string,
): Promise<OAuthClient | null> {
  await holdAlone(tx, 'clients')
  return findClient(installation, tx, id)
}

export async function allClients(installation: Installation, snapshot: Snapshot): Promise<OAuthClient[]> {
  const declared = declaredClients(installation)
  const stored = (await allStoredClients(snapshot))
    .map((client) => fromStored(client, declared.find(({ id }) => id === client.id) ?? null))
    .filter((client) => client.registered || client.declaration)
  const untouched = declared.filter(({ id }) => !stored.some((client) => client.id === id)).map(fromDeclaration)
  return [...untouched, ...stored].sort((one, other) => (one.id < other.id ? -1 : 1))
}

export function fromDeclaration(declaration: ClientDeclaration): OAuthClient {
  return {
    expiresIn: 'by-scope',
    accessLifetime: lifetimes.access,
    refreshLifetime: lifetimes.refresh,
    codeLifetime: lifetimes.code,
    ...declaration,
    secretHash: null,
    disabled: false,
    registered: false,
    serviceUid: null,
    declaration,
  }
}

function fromStored(stored: StoredClient, declaration: ClientDeclaration | null): OAuthClient {
  return {
    id: stored.id,
    label: stored.label,
    // These columns are written by toStored only.
    grants: JSON.parse(stored.grants) as Grant[],
    scopes: JSON.parse(stored.scopes) as string[],
    defaultScopes: JSON.parse(stored.default_scopes) as string[],
    redirectUris: JSON.parse(stored.redirect_uris) as string[],
    origins: JSON.parse(stored.origins) as string[],
    pkce: stored.pkce,
    expiresIn: stored.expires_in,
    accessLifetime: stored.access_lifetime,
    refreshLifetime: stored.refresh_lifetime,
    codeLifetime: stored.code_lifetime,
    secretHash: stored.secret_hash,
    disabled: stored.disabled === 1,
    registered: stored.registered === 1,
    serviceUid: stored.service_uid,
    declaration,
  }
}

export function toStored(client: OAuthClient, created: number): StoredClient {
  return {
    id: client.id,
    label: client.label,
    secret_hash: client.secretHash,
    grants: JSON.stringify(client.grants),
    scopes: JSON.stringify(client.scopes),
    default_scopes: JSON.stringify(client.defaultScopes),
    redirect_uris: JSON.stringify(client.redirectUris),
    origins: JSON.stringify(client.origins),
    pkce: client.pkce,
    expires_in: client.expiresIn,
    access_lifetime: client.accessLifetime,
    refresh_lifetime: client.refreshLifetime,
    code_lifetime: client.codeLifetime,
    disabled: client.disabled ? 1 : 0,
    registered: client.registered ? 1 : 0,
    service_uid: client.serviceUid,
    created,
  }
}
