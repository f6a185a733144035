import { lockAccountToAdmit } from '../../storage/access/account-rows.ts'
import { principalOf } from '../caller.ts'
import type { Ground } from '../ground.ts'
import { checkLogin } from '../login.ts'
import { type ClientRequest, giveTo } from './client-authentication.ts'
import type { Client } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter, requiredParameter } from './parameters.ts'
import { beyondTheRole, requestedScope, scopeWithin } from './scopes.ts'
import { issueTokens, type TokenResponse } from './tokens.ts'

/** RFC 6749 section 4.3. */
export async function passwordGrant(ground: Ground, client: Client, request: ClientRequest): Promise<TokenResponse> {
  const name = requiredParameter(request.parameters, 'username')
  const password = requiredParameter(request.parameters, 'password')
  const asked = requestedScope(ground.farm, client, parameter(request.parameters, 'scope'))
  const { address, loginFailed } = request
  const account = await checkLogin(ground, { name, password, client: client.id, address, loginFailed })
  if (!account) throw wrongPassword()
  const issued = await giveTo(ground, client, async (rows) => {
    const current = await lockAccountToAdmit(rows, account.uid)
    if (!current || current.password_hash !== account.password_hash) return null
    const scope = scopeWithin(ground.farm, principalOf(current), asked)
    if (scope === '') throw beyondTheRole()
    return issueTokens(rows, { client, uid: account.uid, scope, now: ground.clock() })
  })
  if (!issued) throw wrongPassword()
  return issued
}

function wrongPassword(): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', 'Invalid username and password combination')
}
