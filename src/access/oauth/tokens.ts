import { randomUUID } from 'node:crypto'
import { sweepExpired } from '../../storage/access/expiry.ts'
import { insertAccessToken, insertFamily, insertRefreshToken, prolongFamily } from '../../storage/access/token-rows.ts'
import type { Transaction } from '../../storage/database.ts'
import { hashOf, newSecret } from '../secrets.ts'
import type { Client } from './clients.ts'

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

export interface Issue {
  readonly client: Client
  readonly uid: number
  readonly scope: string
  readonly now: number
}

/** The first tokens of a new family. */
export async function issueTokens(tx: Transaction, issue: Issue): Promise<TokenResponse & { readonly family: string }> {
  const { client, uid, scope, now } = issue
  const family = randomUUID()
  await sweepExpired(tx, now)
  await insertFamily(tx, {
    id: family,
    client: client.id,
    uid,
    scope,
    created: now,
    ends: now + client.accessLifetime,
  })
  return { ...(await continueFamily(tx, { ...issue, family, created: now })), family }
}

export interface Continuation extends Issue {
  readonly family: string
  readonly created: number
}

/** The next tokens of a family. What a client registered without the refresh grant gets is an access token only. */
export async function continueFamily(tx: Transaction, next: Continuation): Promise<TokenResponse> {
  const { client, uid, scope, now, family, created } = next
  const access = newSecret()
  const expires = now + client.accessLifetime
  await insertAccessToken(tx, { hash: hashOf(access), family, client: client.id, uid, scope, issued: now, expires })
  const response = {
    access_token: access,
    expires_in: client.expiresIn === 'number' ? client.accessLifetime : String(client.accessLifetime),
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
