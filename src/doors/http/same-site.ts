import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from './base-address.ts'

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
