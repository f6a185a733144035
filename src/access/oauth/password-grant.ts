import { lockAccountToAdmit } from '../../storage/access/account-rows.ts'
import type { Ground } from '../ground.ts'
import { checkLogin } from '../login.ts'
import { type ClientRequest, giveTo } from './client-authentication.ts'
import type { Client } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { parameter, requiredParameter } from './parameters.ts'
import { requestedScope, scopeWithin } from './scopes.ts'
import { issueTokens, type TokenResponse } from './tokens.ts'

/** RFC 6749 section 4.3. */
export async function passwordGrant(ground: Ground, client: Client, request: ClientRequest): Promise<TokenResponse> {
  const name = requiredParameter(request.parameters, 'username')
  const password = requiredParameter(request.parameters, 'password')
  const asked = requestedScope(ground.farm, client, parameter(request.parameters, 'scope'))
  const account = await checkLogin(ground, { name, password, address: request.address })
  if (!account) throw wrongPassword()
  const scope = scopeWithin(ground.farm, { role: account.role, isService: false }, asked)
  if (scope === '') throw new OAuthRefusal('invalid_scope', 'The role of this user covers none of the requested scopes')
  const issued = await giveTo(ground, client, async (rows) => {
    const current = await lockAccountToAdmit(rows, account.uid)
    if (current?.password_hash !== account.password_hash) return null
    return issueTokens(rows, { client, uid: account.uid, scope, now: ground.clock() })
  })
  if (!issued) throw wrongPassword()
  return issued
}

function wrongPassword(): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', 'Invalid username and password combination')
}
