import { Refusal } from '../refusal.ts'
import { identifyBasic } from './basic.ts'
import { identifyBearer } from './bearer.ts'
import { callerWith } from './caller.ts'
import type { Credentials, Identified } from './credentials.ts'
import { isCsrfToken } from './csrf.ts'
import type { Ground } from './ground.ts'
import { accountOfSession } from './sessions.ts'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** One request, one credential: an Authorization header is judged alone, and if it is bad no cookie makes up for it. */
export async function identify(ground: Ground, credentials: Credentials): Promise<Identified> {
  if (credentials.authorization !== undefined) return identifyHeader(ground, credentials.authorization, credentials)
  if (credentials.cookie !== undefined) return identifyCookie(ground, credentials.cookie, credentials)
  throw new Refusal('unauthenticated', 'This needs a login: send an access token or a session cookie.')
}

async function identifyHeader(ground: Ground, header: string, credentials: Credentials): Promise<Identified> {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([^\s,]+)$/.exec(header) ?? []
  if (/^bearer$/i.test(scheme)) return identifyBearer(ground, value)
  if (/^basic$/i.test(scheme)) return identifyBasic(ground, value, credentials)
  throw new Refusal('unauthenticated', 'The Authorization header is not "Bearer" and one token.', {
    challenge: { error: 'invalid_request' },
  })
}

async function identifyCookie(ground: Ground, cookie: string, { method, csrfToken }: Credentials): Promise<Identified> {
  const account = await accountOfSession(ground, cookie)
  if (!account) throw new Refusal('unauthenticated', 'The session is over: log in again.')
  if (!safeMethods.includes(method) && !(await isCsrfToken(ground.database, cookie, csrfToken))) {
    throw new Refusal('csrf-failed', 'With a session cookie, changes need the session’s token in X-CSRF-Token.')
  }
  return { ...callerWith(account, 'cookie'), bond: cookie }
}
