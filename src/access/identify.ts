import { Refusal } from '../refusal.ts'
import { identifyBasic } from './basic.ts'
import { identifyBearer } from './bearer.ts'
import { callerWith, confirmedCaller } from './caller.ts'
import type { Credentials, Identified } from './credentials.ts'
import { isCsrfToken } from './csrf.ts'
import type { Installation } from './installation.ts'
import { accountOfSession, isConfirmedAt } from './sessions.ts'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** One request, one credential: an Authorization header is judged alone, and if it is bad no cookie makes up for it. */
export async function identify(installation: Installation, credentials: Credentials): Promise<Identified> {
  if (credentials.authorization !== undefined)
    return identifyHeader(installation, credentials.authorization, credentials)
  if (credentials.cookie !== undefined) return identifyCookie(installation, credentials.cookie, credentials)
  throw new Refusal('unauthenticated', 'This needs a login: send an access token or a session cookie.')
}

async function identifyHeader(
  installation: Installation,
  header: string,
  credentials: Credentials,
): Promise<Identified> {
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
): Promise<Identified> {
  const account = await accountOfSession(installation, cookie)
  if (!account) throw new Refusal('unauthenticated', 'The session is over: log in again.')
  if (!safeMethods.includes(method) && !(await isCsrfToken(installation.database, cookie, csrfToken))) {
    throw new Refusal('csrf-failed', 'With a session cookie, changes need the session’s token in X-CSRF-Token.')
  }
  const isConfirmed = isConfirmedAt(account, installation.clock())
  return { ...(isConfirmed ? confirmedCaller(account) : callerWith(account, 'cookie')), bond: cookie }
}
