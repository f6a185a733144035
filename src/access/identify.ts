import { Refusal } from '../refusal.ts'
import { findTokenInUse } from '../storage/access/token-rows.ts'
import { identifyBasic } from './basic.ts'
import { callerWith, confirmedCaller, principalOf, rightsOf } from './caller.ts'
import type { Credentials, IdentifiedCaller } from './credentials.ts'
import type { Installation } from './installation.ts'
import { isDeclared } from './oauth/clients.ts'
import { scopesNamed } from './oauth/scopes.ts'
import { hashOf, isCsrfToken } from './secrets.ts'
import { accountOfSession, isConfirmedAt } from './sessions.ts'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** One request, one credential: an Authorization header is judged alone, and if it is bad no cookie makes up for it. */
export async function identify(installation: Installation, credentials: Credentials): Promise<IdentifiedCaller> {
  if (credentials.authorization !== undefined)
    return identifyHeader(installation, credentials.authorization, credentials)
  if (credentials.cookie !== undefined) return identifyCookie(installation, credentials.cookie, credentials)
  throw new Refusal('unauthenticated', 'This needs a login: send an access token or a session cookie.')
}

async function identifyHeader(
  installation: Installation,
  header: string,
  credentials: Credentials,
): Promise<IdentifiedCaller> {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([^\s,]+)$/.exec(header) ?? []
  if (/^bearer$/i.test(scheme)) return identifyBearer(installation, value)
  if (/^basic$/i.test(scheme)) return identifyBasic(installation, value, credentials)
  throw new Refusal('unauthenticated', 'The Authorization header is not "Bearer" and one token.', {
    challenge: { error: 'invalid_request' },
  })
}

async function identifyCookie(
  installation: Installation,
  cookie: string,
  { method, csrfToken }: Credentials,
): Promise<IdentifiedCaller> {
  const account = await accountOfSession(installation, cookie)
  if (!account) throw new Refusal('unauthenticated', 'The session is over: log in again.')
  if (!safeMethods.includes(method) && !(await isCsrfToken(installation.database, cookie, csrfToken))) {
    throw new Refusal('csrf-failed', 'With a session cookie, changes need the session’s token in X-CSRF-Token.')
  }
  const isConfirmed = isConfirmedAt(account, installation.clock())
  return { ...(isConfirmed ? confirmedCaller(account) : callerWith(account, 'cookie')), bond: cookie }
}

/** RFC 6750, section 2.1; no token of ours is longer. */
const tokenForm = /^[A-Za-z0-9._~+/-]{1,8192}=*$/

/** One look-up by hash, no write: this happens on every request. */
async function identifyBearer(installation: Installation, token: string): Promise<IdentifiedCaller> {
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
