import { lockAccountToAdmit } from '../../storage/access/account-rows.ts'
import { principalOf } from '../caller.ts'
import type { Installation } from '../installation.ts'
import { checkLogin } from '../login.ts'
import { type ClientRequest, giveTo } from './client-authentication.ts'
import { beyondTheRole, type OAuthClient, requestedScope, scopeGiven } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter, requiredParameter } from './parameters.ts'
import { issueTokens, type TokenResponse } from './tokens.ts'

/** RFC 6749 section 4.3. */
export async function passwordGrant(
  installation: Installation,
  client: OAuthClient,
  request: ClientRequest,
): Promise<TokenResponse> {
  const name = requiredParameter(request.parameters, 'username')
  const password = requiredParameter(request.parameters, 'password')
  const requestedScopes = requestedScope(installation.farm, client, parameter(request.parameters, 'scope'))
  const { address, loginFailed } = request
  const account = await checkLogin(installation, { name, password, client: client.id, address, loginFailed })
  if (!account) throw wrongPassword()
  const issued = await giveTo(installation, client, async (tx, issuer) => {
    const current = await lockAccountToAdmit(tx, account.uid)
    if (!current || current.password_hash !== account.password_hash) return null
    const scope = scopeGiven(installation.farm, principalOf(current), { grant: 'password', scope: requestedScopes })
    if (scope === '') throw beyondTheRole()
    return issueTokens(tx, { issuer, client, account: current, scope, grant: 'password', address })
  })
  if (!issued) throw wrongPassword()
  return issued
}

function wrongPassword(): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', 'Invalid username and password combination')
}
