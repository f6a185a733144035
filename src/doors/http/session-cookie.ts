import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { sessionLifetimes } from '../../access/sessions.ts'
import { baseAddressOf } from './base-address.ts'

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
