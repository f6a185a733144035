import type { FastifyInstance, FastifyRequest } from 'fastify'
import { identifyBasic } from '../../access/basic.ts'
import { callerWith, confirmedCaller, principalOf, rightsOf } from '../../access/caller.ts'
import type { Credentials, IdentifiedCaller, Visitor } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { isDeclared, scopesNamed } from '../../access/oauth/clients.ts'
import { hashOf, isCsrfToken } from '../../access/secrets.ts'
import { accountOfSession, isConfirmedAt, sessionLifetimes } from '../../access/sessions.ts'
import { Refusal } from '../../refusal.ts'
import { findTokenInUse, lookUpToken, type VersionedToken } from '../../storage/access/token-rows.ts'
import { baseAddressOf, clientAddressOf } from './origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A session that HTTP Basic opened and that the answer is to hand over. */
    openedSession: string | null
  }
}

/** The caller. Refuses a request without credentials, or with wrong ones. */
export async function callerOf(request: FastifyRequest, installation: Installation): Promise<IdentifiedCaller> {
  return identifiedBy(request, installation, credentialsOf(request, installation))
}

/** The same for an HTML form, which has the CSRF token in a field. */
export async function callerOfForm(
  request: FastifyRequest,
  installation: Installation,
  csrfToken: string | undefined,
): Promise<IdentifiedCaller> {
  const credentials = credentialsOf(request, installation)
  return identifiedBy(request, installation, { ...credentials, csrfToken: csrfToken ?? credentials.csrfToken })
}

async function identifiedBy(
  request: FastifyRequest,
  installation: Installation,
  credentials: Credentials,
): Promise<IdentifiedCaller> {
  const caller = await identify(installation, credentials)
  request.uid = caller.uid
  if (caller.carrier === 'basic' && caller.bond !== credentials.cookie) request.openedSession = caller.bond
  return caller
}

function credentialsOf(request: FastifyRequest, installation: Installation): Credentials {
  const authorization = authorizationOf(request)
  const csrfToken = request.headers['x-csrf-token']
  return {
    authorization,
    cookie: /^bearer/i.test(authorization ?? '') ? undefined : sessionCookieOf(request, installation),
    csrfToken: typeof csrfToken === 'string' ? csrfToken : undefined,
    method: request.method,
    ...visitorOf(request, installation),
    agent: request.headers['user-agent'] ?? '',
    lookup: lookups.get(request),
  }
}

const lookups = new WeakMap<FastifyRequest, Promise<VersionedToken>>()

/** The token of a bearer on PostgreSQL, which callerOf then asks for no more; undefined without one. */
export function tokenLookupOf(
  request: FastifyRequest,
  { database }: Installation,
): Promise<VersionedToken> | undefined {
  const [, scheme = '', token = ''] = headerForm.exec(authorizationOf(request) ?? '') ?? []
  if (database.engine === 'sqlite' || !/^bearer$/i.test(scheme) || !tokenForm.test(token)) return undefined
  const lookup = lookUpToken(database, hashOf(token))
  lookups.set(request, lookup)
  return lookup
}

export function authorizationOf(request: FastifyRequest): string | undefined {
  refuseRepeated(request, 'Authorization')
  return request.headers.authorization
}

const plainName = 'furrow_session'

/** Under https the prefix `__Host-` makes browsers require Secure, path / and no domain (RFC 6265bis). */
export const sessionCookieName = (base: string): string => (isHttps(base) ? `__Host-${plainName}` : plainName)

const isHttps = (base: string): boolean => base.startsWith('https:')

/** The session value of a request. Two different ones under the same name are nobody's. */
export function sessionCookieOf(request: FastifyRequest, installation: Installation): string | undefined {
  const header = request.headers.cookie
  if (header === undefined) return undefined
  const name = sessionCookieName(baseAddressOf(request, installation))
  const values = new Set<string>()
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.add(pair.slice(equals + 1).trim())
  }
  const [value] = values
  return values.size === 1 && value !== '' ? value : undefined
}

/** The value of a Set-Cookie header that begins a session, or with null ends it. A browser keeps it for as long as it can be of use. */
export function sessionCookie(request: FastifyRequest, installation: Installation, value: string | null): string {
  const age = value === null ? 0 : sessionLifetimes.inAll
  const base = baseAddressOf(request, installation)
  const secure = isHttps(base) ? '; Secure' : ''
  return `${sessionCookieName(base)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${age}`
}

/** Every answer to a request that opened a session carries its cookie. */
export function sendOpenedSessions(app: FastifyInstance, installation: Installation): void {
  app.decorateRequest('openedSession', null)
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.openedSession !== null)
      reply.header('set-cookie', sessionCookie(request, installation, request.openedSession))
    done()
  })
}

/** The origin of a possible login. */
export const visitorOf = (request: FastifyRequest, installation: Installation): Visitor => ({
  address: clientAddressOf(request, installation),
  loginFailed: (how) => {
    request.login = how
  },
})

/** Node keeps the first of several such headers and says nothing, and a proxy before us may have kept the last: a request with two is refused. */
export function refuseRepeated(request: FastifyRequest, header: 'Authorization' | 'Host'): void {
  const raw = request.raw.rawHeaders
  const wanted = header.toLowerCase()
  let found = 0
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.length === wanted.length && raw[at]?.toLowerCase() === wanted) found += 1
  }
  if (found > 1) throw new Refusal('bad-request', `A request has one ${header} header at most.`)
}

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** One request, one credential: an Authorization header is judged alone, and a bad one is not replaced by a cookie. */
export async function identify(installation: Installation, credentials: Credentials): Promise<IdentifiedCaller> {
  if (credentials.authorization !== undefined)
    return identifyHeader(installation, credentials.authorization, credentials)
  if (credentials.cookie !== undefined) return identifyCookie(installation, credentials.cookie, credentials)
  throw new Refusal('unauthenticated', 'This needs a login: send an access token or a session cookie.')
}

/** A scheme and one word. */
const headerForm = /^([A-Za-z]+) +([^\s,]+)$/

async function identifyHeader(
  installation: Installation,
  header: string,
  credentials: Credentials,
): Promise<IdentifiedCaller> {
  const [, scheme = '', value = ''] = headerForm.exec(header) ?? []
  if (/^bearer$/i.test(scheme)) return identifyBearer(installation, value, credentials.lookup)
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

/** RFC 6750, section 2.1. No token issued here is longer. */
const tokenForm = /^[A-Za-z0-9._~+/-]{1,8192}=*$/

/** One lookup by hash and no write: this runs on every request. */
async function identifyBearer(
  installation: Installation,
  token: string,
  lookup: Promise<VersionedToken> | undefined,
): Promise<IdentifiedCaller> {
  if (!tokenForm.test(token)) throw badToken()
  const found = await tokenInUse(installation, token, lookup)
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

async function tokenInUse(
  { database, clock }: Installation,
  token: string,
  lookup: Promise<VersionedToken> | undefined,
): Promise<VersionedToken['token']> {
  const now = clock()
  if (database.engine === 'sqlite') return database.ask((snapshot) => findTokenInUse(snapshot, hashOf(token), now))
  const found = (await (lookup ?? lookUpToken(database, hashOf(token)))).token
  return found !== undefined && found.expires > now ? found : undefined
}

function badToken(): Refusal {
  const description = 'The access token is unknown, expired or revoked'
  return new Refusal('unauthenticated', `${description}. Ask for a new one.`, {
    challenge: { error: 'invalid_token', error_description: description },
  })
}
