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

/** However often it is refreshed, a consent or a login has to be repeated after this. */
const familyLifetime = 90 * 86_400

/** RFC 6749 section 5.1; `expires_in` as the client wants it. */
export interface TokenResponse {
  readonly access_token: string
  readonly expires_in: string | number
  readonly token_type: 'Bearer'
  readonly scope: string
  readonly refresh_token?: string
}

/** Who gives the tokens, and when. */
export interface Issuer {
  readonly farm: Farm
  readonly key: Buffer
  readonly now: number
}

interface Issue {
  readonly issuer: Issuer
  readonly client: OAuthClient
  readonly account: Account
  /** By the names that the answer tells. */
  readonly scope: string
}

interface FirstIssue extends Issue {
  readonly grant: Grant
  /** Where the request came from. */
  readonly address: string
}

/** The first tokens of a new family, which is a login; a refresh goes on with it. */
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
  })
  await note(tx, 'logged-in', { at: now, uid: account.uid, client: client.id, address })
  return { ...(await continueFamily(tx, { ...issue, family, granted: scope, created: now })), family }
}

interface Continuation extends Issue {
  readonly family: string
  /** What the family was begun with, of which this may be less. */
  readonly granted: string
  readonly created: number
}

/** The next tokens of a family. What a client registered without the refresh grant gets is an access token only. */
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

/** Whether what was granted belongs to the newer generation, whose clients want a number in `expires_in` and a JWT. */
function isOfNewerGeneration(granted: string): boolean {
  const names = granted.split(' ')
  return names.some((name) => roleScopes.includes(name)) && !names.some((name) => olderScopes.includes(name))
}

/** What the tokens of this installation are signed with, and nothing else. */
export async function signatureKey(database: Database): Promise<Buffer> {
  return Buffer.from(await sealOf(database, 'access-token', ''), 'base64url')
}

/** What a token says of itself to whoever reads it; here nobody does. */
interface Claims {
  readonly aud: string
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly sub: string
  readonly scope: string
}

/** RFC 7519 with HS256. Like every other token it is known by its hash alone. */
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
