import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from './base-address.ts'

/** What every answer carries unless a door says otherwise for its own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache, must-revalidate',
  vary: 'Accept, Accept-Encoding, Authorization, Cookie',
}

export function setSecurityHeaders(reply: FastifyReply, requestId: string): void {
  for (const name in securityHeaders) reply.header(name, securityHeaders[name])
  reply.header('x-request-id', requestId)
}

/**
 * Refuses a form that another site's page sent. Browsers send Sec-Fetch-Site over https only; elsewhere the Origin decides,
 * which for our own pages is never `null`: that is said for pages in a sandbox, and for files.
 */
export function requireSameSite(request: FastifyRequest, installation: Installation): void {
  const site = request.headers['sec-fetch-site']
  const isForeign =
    site === undefined ? isForeignOrigin(request, installation) : site !== 'same-origin' && site !== 'none'
  if (isForeign) throw new Refusal('forbidden', 'This form was sent by a page of another site.')
}

function isForeignOrigin(request: FastifyRequest, installation: Installation): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  return origin !== new URL(baseAddressOf(request, installation)).origin && new URL(origin).host !== host
}

/**
 * Scripts of every origin that a client registered may call every address, with the methods that it has. A door
 * declares where that is otherwise; the first declaration that fits a path decides.
 */
export interface ScriptAccess {
  readonly paths: RegExp
  readonly openTo: 'nobody' | 'the origins of the asking client' | 'every registered origin'
  /** How a script that asks first is answered: 204, unless its clients know another status. */
  readonly preflight?: 200
}

export const usualScriptAccess: ScriptAccess = { paths: /^/, openTo: 'every registered origin' }
