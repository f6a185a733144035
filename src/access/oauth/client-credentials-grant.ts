import { lockAccountToAdmit } from '../../storage/access/account-rows.ts'
import { principalOf } from '../caller.ts'
import type { Installation } from '../installation.ts'
import { type ClientRequest, giveTo } from './client-authentication.ts'
import { type OAuthClient, requestedScope, scopeWithin } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter } from './parameters.ts'
import { issueTokens, type TokenResponse } from './tokens.ts'

/** RFC 6749 section 4.4: the client acts as its own service account. */
export async function clientCredentialsGrant(
  installation: Installation,
  client: OAuthClient,
  { parameters, address }: ClientRequest,
): Promise<TokenResponse> {
  const uid = client.serviceUid
  if (client.secretHash === null || uid === null) {
    throw new OAuthRefusal('unauthorized_client', 'This client has no secret of its own')
  }
  const requestedScopes = requestedScope(installation.farm, client, parameter(parameters, 'scope'))
  const issued = await giveTo(installation, client, async (tx, issuer) => {
    const account = await lockAccountToAdmit(tx, uid)
    if (!account) return null
    const scope = scopeWithin(installation.farm, principalOf(account), requestedScopes)
    if (scope === '') return null
    return issueTokens(tx, { issuer, client, account, scope, grant: 'client_credentials', address })
  })
  if (!issued) throw new OAuthRefusal('invalid_scope', 'The service account of this client covers none of the scopes')
  return issued
}
