import { findAccount } from '../../storage/access/account-rows.ts'
import { findRefreshToken, findTokenInUse } from '../../storage/access/token-rows.ts'
import { principalOf } from '../caller.ts'
import type { Installation } from '../installation.ts'
import { hashOf } from '../secrets.ts'
import { authenticateClient, type ClientRequest } from './client-authentication.ts'
import { effectiveScope, type OAuthClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { refuseRepeated, requiredParameter } from './parameters.ts'

/** RFC 7662 section 2.2. */
type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      readonly scope: string
      readonly client_id: string
      readonly username: string
      readonly sub: string
      readonly token_type?: 'Bearer'
      readonly iat: number
      readonly exp: number
    }

/** Only an authenticated client learns about tokens, and only about its own. */
export async function answerIntrospection(installation: Installation, request: ClientRequest): Promise<Introspection> {
  refuseRepeated(request.parameters)
  const client = await authenticateClient(installation, request)
  if (client.secretHash === null) throw new OAuthRefusal('invalid_client', 'Introspection takes a client with a secret')
  const hash = hashOf(requiredParameter(request.parameters, 'token'))
  return (
    (await ofAccessToken(installation, client, hash)) ??
    (await ofRefreshToken(installation, client, hash)) ?? { active: false }
  )
}

async function ofAccessToken(
  installation: Installation,
  client: OAuthClient,
  hash: string,
): Promise<Introspection | null> {
  const token = await installation.database.ask((snapshot) => findTokenInUse(snapshot, hash, installation.clock()))
  if (!token || token.client !== client.id) return null
  return {
    active: true,
    scope: effectiveScope(installation.farm, principalOf(token), token.scope),
    client_id: client.id,
    username: token.name,
    sub: String(token.uid),
    token_type: 'Bearer',
    iat: token.issued,
    exp: token.expires,
  }
}

async function ofRefreshToken(
  installation: Installation,
  client: OAuthClient,
  hash: string,
): Promise<Introspection | null> {
  return installation.database.read(async (snapshot) => {
    const token = await findRefreshToken(snapshot, hash)
    if (!token || token.client !== client.id || token.rotated !== null || token.expires <= installation.clock())
      return null
    const account = await findAccount(snapshot, token.uid)
    if (!account || account.blocked) return null
    const { uid, issued, expires } = token
    return {
      active: true,
      scope: effectiveScope(installation.farm, principalOf(account), token.scope),
      client_id: client.id,
      username: account.name,
      sub: String(uid),
      iat: issued,
      exp: expires,
    }
  })
}
