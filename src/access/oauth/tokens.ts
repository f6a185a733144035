import { createHmac, randomUUID } from 'node:crypto'
import type { Farm } from '../../farm/farm.ts'
import type { Grant } from '../../farm/people/clients.ts'
import { olderScopes, roleScopes } from '../../farm/people/scopes.ts'
import type { Account } from '../../storage/access/account-rows.ts'
import { sweepExpired } from '../../storage/access/expiry.ts'
import { insertAccessToken, insertFamily, insertRefreshToken, prolongFamily } from '../../storage/access/token-rows.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { principalOf } from '../caller.ts'
import { note } from '../events.ts'
import { hashOf, newSecret, sealOf } from '../secrets.ts'
import { effectiveScope, type OAuthClient } from './clients.ts'

/** Maximum age of a consent or login, however often it is refreshed. */
const familyLifetime = 90 * 86_400

/** RFC 6749 section 5.1; `expires_in` in the form that the client expects. */
export interface TokenResponse {
  readonly access_token: string
  readonly expires_in: string | number
  readonly token_type: 'Bearer'
  readonly scope: string
  readonly refresh_token?: string
}

export interface Issuer {
  readonly farm: Farm
  readonly key: Buffer
  readonly now: number
}

interface Issue {
  readonly issuer: Issuer
  readonly client: OAuthClient
  readonly account: Account
  /** Scope names as in the answer. */
  readonly scope: string
}

interface FirstIssue extends Issue {
  readonly grant: Grant
  /** IP address of the request. */
  readonly address: string
}

/** The first tokens of a new family. A refresh continues the family. */
export async function issueTokens(
  tx: Transaction,
  { grant, address, ...issue }: FirstIssue,
): Promise<TokenResponse & { readonly family: string }> {
  const { issuer, client, account, scope } = issue
  const { now } = issuer
  const family = randomUUID()
  await sweepExpired(tx, now)
  await insertFamily(tx, {
    id: family,
    client: client.id,
    uid: account.uid,
    scope,
    grant_type: grant,
    created: now,
    ends: now + client.accessLifetime,
    label: null,
  })
  await note(tx, 'logged-in', { at: now, uid: account.uid, client: client.id, address })
  return { ...(await continueFamily(tx, { ...issue, family, granted: scope, created: now })), family }
}

interface Continuation extends Issue {
  readonly family: string
  /** The scope of the whole family; a token may have less. */
  readonly granted: string
  readonly created: number
}

/** The next tokens of a family. A client without the refresh grant gets only an access token. */
export async function continueFamily(tx: Transaction, next: Continuation): Promise<TokenResponse> {
  const { issuer, client, account, scope, family, created } = next
  const { now } = issuer
  const { uid } = account
  const access = accessTokenFor(next)
  const expires = now + client.accessLifetime
  await insertAccessToken(tx, { hash: hashOf(access), family, client: client.id, uid, scope, issued: now, expires })
  const response = {
    access_token: access,
    expires_in: expiresIn(next),
    token_type: 'Bearer',
    scope,
  } as const
  if (!client.grants.includes('refresh_token') || client.serviceUid === uid) return response
  const refresh = newSecret()
  const refreshExpires = Math.min(now + client.refreshLifetime, created + familyLifetime)
  await insertRefreshToken(tx, { hash: hashOf(refresh), family, issued: now, expires: refreshExpires, rotated: null })
  await prolongFamily(tx, family, Math.max(expires, refreshExpires))
  return { ...response, refresh_token: refresh }
}

function accessTokenFor({ issuer, client, account, scope, granted }: Continuation): string {
  if (!isOfNewerGeneration(granted)) return newSecret()
  const { farm, key, now } = issuer
  const claims = {
    aud: client.id,
    iat: now,
    nbf: now,
    exp: now + client.accessLifetime,
    sub: String(account.uid),
    scope: effectiveScope(farm, principalOf(account), scope),
  }
  return signedToken(claims, key)
}

function expiresIn({ client, granted }: Continuation): string | number {
  const byScope = isOfNewerGeneration(granted) ? 'number' : 'string'
  const form = client.expiresIn === 'by-scope' ? byScope : client.expiresIn
  return form === 'number' ? client.accessLifetime : String(client.accessLifetime)
}

/** Clients of /api expect a number in `expires_in` and a JWT. */
function isOfNewerGeneration(granted: string): boolean {
  const names = granted.split(' ')
  return names.some((name) => roleScopes.includes(name)) && !names.some((name) => olderScopes.includes(name))
}

/** The key that signs this installation's tokens. It has no other use. */
export async function signatureKey(database: Database): Promise<Buffer> {
  return Buffer.from(await sealOf(database, 'access-token', ''), 'base64url')
}

/** JWT claims, for clients that decode the token. The server does not read them. */
interface Claims {
  readonly aud: string
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly sub: string
  readonly scope: string
}

/** RFC 7519 with HS256. Like every other token it is looked up by its hash. */
function signedToken(claims: Claims, key: Buffer): string {
  const jti = newSecret()
  const signed = [
    { typ: 'JWT', alg: 'HS256', jti },
    { jti, ...claims },
  ]
    .map(encoded)
    .join('.')
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
