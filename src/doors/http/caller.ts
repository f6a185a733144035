import type { FastifyRequest } from 'fastify'
import type { Credentials, IdentifiedCaller, Visitor } from '../../access/credentials.ts'
import { identify } from '../../access/identify.ts'
import type { Installation } from '../../access/installation.ts'
import { sessionLifetimes } from '../../access/sessions.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf, clientAddressOf } from './base-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A session that HTTP Basic opened and that the answer is to hand over. */
    openedSession: string | null
  }
}

/** Who is asking. Refuses where nobody is named, or somebody without proof. */
export async function callerOf(request: FastifyRequest, installation: Installation): Promise<IdentifiedCaller> {
  return identifiedBy(request, installation, credentialsOf(request, installation))
}

/** Likewise for a page's form, which carries the CSRF token in a field. */
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
  }
}

export function authorizationOf(request: FastifyRequest): string | undefined {
  refuseRepeated(request, 'Authorization')
  return request.headers.authorization
}

const plainName = 'furrow_session'

/** Under https the name itself makes browsers insist on Secure, the whole site and no other host (RFC 6265bis, `__Host-`). */
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

/** Whoever may be about to log in with this request. */
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
