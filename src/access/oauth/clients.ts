import type { ServerSettings } from '../../config.ts'
import type { Farm } from '../../farm/farm.ts'
import { once } from '../../farm/fields-of.ts'
import {
  type ClientDeclaration,
  developmentClient,
  type Grant,
  personalTokenClient,
} from '../../farm/people/clients.ts'
import { roles } from '../../farm/people/roles.ts'
import { roleScopes, type Scope } from '../../farm/people/scopes.ts'
import { allStoredClients, findStoredClient, type StoredClient } from '../../storage/access/client-rows.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import { holdAlone, holdTogether } from '../../storage/sql/advisory-locks.ts'
import { type Principal, rightsOf } from '../caller.ts'
import type { Installation } from '../installation.ts'
import { OAuthRefusal } from './oauth-refusal.ts'

export interface OAuthClient extends Required<Omit<ClientDeclaration, 'only'>> {
  /** Null: a public client without a secret. */
  readonly secretHash: string | null
  readonly disabled: boolean
  /** Registered by command or administration. */
  readonly registered: boolean
  readonly serviceUid: number | null
  /** Declared by the catalogue, a module or a setting; null if registered. */
  readonly declaration: ClientDeclaration | null
}

export const lifetimes = { access: 3600, refresh: 14 * 86_400, code: 60 } as const

export const declaredClients = ({ farm, settings }: Installation): readonly ClientDeclaration[] =>
  clientsBeside(settings)(farm)

const clientsBeside = once(({ developmentClient: id }: ServerSettings) =>
  once((farm: Farm) => [...farm.clients, personalTokenClient, ...(id === null ? [] : [developmentClient(id)])]),
)

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

/** Locks a client for issuing tokens: it cannot change until that is done. */
export async function clientToAdmit(
  installation: Installation,
  tx: Transaction,
  id: string,
): Promise<OAuthClient | null> {
  // Asked together, they are answered in this order.
  const [, client] = await Promise.all([holdTogether(tx, 'clients'), findClient(installation, tx, id)])
  return client
}

/** Locks a client for a change. Tokens being issued are finished first, so that the change can revoke them. */
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
    // The casts are safe: only toStored writes these columns.
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

/** The scopes of a stored token; a scope whose module is gone allows nothing. */
export function scopesNamed(farm: Farm, scope: string): Scope[] {
  const names = scope.split(' ')
  return farm.scopes.filter(({ name }) => names.includes(name))
}

/** The requested scopes in order, or the client's default. */
export function requestedScope(farm: Farm, client: OAuthClient, asked: string | undefined): string {
  const names =
    asked === undefined ? client.defaultScopes : [...new Set(asked.split(' ').filter((name) => name !== ''))]
  if (names.length === 0) throw new OAuthRefusal('invalid_scope', 'This client has no default scope: ask for one')
  for (const name of names) {
    if (!farm.scopes.some((scope) => scope.name === name)) {
      throw new OAuthRefusal('invalid_scope', 'An unsupported scope was requested')
    }
    if (!client.scopes.includes(name)) {
      throw new OAuthRefusal('invalid_scope', `This client may not ask for the scope "${name}"`)
    }
  }
  return names.join(' ')
}

/** Removes scopes beyond the current role; empty if none is left. */
export function scopeWithin(farm: Farm, principal: Principal, scope: string): string {
  const covered = coveredBy(farm, principal, scope)
  return keptOf(scope, (name) => covered.includes(name))
}

/**
 * The scopes that a grant issues. The password grant issues a role scope by its requested name to every account with a
 * role: clients request the highest role for everyone and expect to see it. The rights are those of the account's role
 * all the same.
 */
export function scopeGiven(farm: Farm, principal: Principal, { grant, scope }: GrantedScope): string {
  if (grant !== 'password' || principal.role === null) return scopeWithin(farm, principal, scope)
  const covered = coveredBy(farm, principal, scope)
  return keptOf(scope, (name) => covered.includes(name) || roleScopes.includes(name))
}

interface GrantedScope {
  /** The grant that began the family; null if unknown. */
  readonly grant: Grant | null
  readonly scope: string
}

/** The current scope of a token: a role scope above the user's role becomes that of the role. */
export function effectiveScope(farm: Farm, principal: Principal, scope: string): string {
  const covered = coveredBy(farm, principal, scope)
  const own = principal.role === null ? null : roles[principal.role].newer
  const isBeyond = (name: string) => roleScopes.includes(name) && !covered.includes(name)
  const effective = scope.split(' ').map((name) => (isBeyond(name) ? (own ?? '') : name))
  return scopeWithin(farm, principal, [...new Set(effective)].join(' '))
}

function coveredBy(farm: Farm, principal: Principal, scope: string): string[] {
  const own = rightsOf(principal, null)
  return scopesNamed(farm, scope)
    .filter(({ rights }) => rights === 'own' || rights.every((right) => own.has(right)))
    .map(({ name }) => name)
}

const keptOf = (scope: string, isKept: (name: string) => boolean): string => scope.split(' ').filter(isKept).join(' ')

export const beyondTheRole = (): OAuthRefusal =>
  new OAuthRefusal('invalid_scope', 'The role of this user covers none of the requested scopes')
