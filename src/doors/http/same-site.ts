import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from './base-address.ts'
import type { House } from './house.ts'

/**
 * Refuses a form that another site's page sent. Browsers send Sec-Fetch-Site over https only; elsewhere the Origin decides,
 * which for our own pages is never `null`: that is said for pages in a sandbox, and for files.
 */
export function requireSameSite(request: FastifyRequest, house: House): void {
  const site = request.headers['sec-fetch-site']
  const isForeign = site === undefined ? isForeignOrigin(request, house) : site !== 'same-origin' && site !== 'none'
  if (isForeign) throw new Refusal('forbidden', 'This form was sent by a page of another site.')
}

function isForeignOrigin(request: FastifyRequest, house: House): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return false
  if (!URL.canParse(origin)) return true
  return origin !== new URL(baseAddressOf(request, house)).origin && new URL(origin).host !== host
}
