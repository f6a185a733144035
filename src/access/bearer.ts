import { Refusal } from '../refusal.ts'
import { findTokenInUse } from '../storage/access/token-rows.ts'
import { principalOf, rightsOf } from './caller.ts'
import type { Identified } from './credentials.ts'
import type { Installation } from './installation.ts'
import { isDeclared } from './oauth/clients.ts'
import { scopesNamed } from './oauth/scopes.ts'
import { hashOf } from './secrets.ts'

/** RFC 6750, section 2.1; no token of ours is longer. */
const tokenForm = /^[A-Za-z0-9._~+/-]{1,8192}=*$/

/** One look-up by hash, no write: this happens on every request. */
export async function identifyBearer(installation: Installation, token: string): Promise<Identified> {
  if (!tokenForm.test(token)) throw badToken()
  const now = installation.clock()
  const found = await installation.database.ask((snapshot) => findTokenInUse(snapshot, hashOf(token), now))
  if (!found || (found.registered !== 1 && !isDeclared(installation, found.client))) throw badToken()
  return {
    uid: found.uid,
    name: found.name,
    role: found.role,
    rights: rightsOf(principalOf(found), scopesNamed(installation.farm, found.scope)),
    carrier: 'bearer',
    client: found.client,
    bond: token,
    expires: found.expires,
  }
}

function badToken(): Refusal {
  const description = 'The access token is unknown, expired or revoked'
  return new Refusal('unauthenticated', `${description}. Ask for a new one.`, {
    challenge: { error: 'invalid_token', error_description: description },
  })
}
