import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from './base-address.ts'
import type { House } from './house.ts'

/**
 * Refuses a form that another site's page sent. Browsers say `Origin: null` for our own forms, because our pages forbid
 * referrers, and Sec-Fetch-Site only over https: so each is believed where it says something.
 */
export function requireSameSite(request: FastifyRequest, house: House): void {
  const site = request.headers['sec-fetch-site']
  const isForeign = site === undefined ? isForeignOrigin(request, house) : site !== 'same-origin' && site !== 'none'
  if (isForeign) throw new Refusal('forbidden', 'This form was sent by a page of another site.')
}

function isForeignOrigin(request: FastifyRequest, house: House): boolean {
  const { origin, host } = request.headers
  if (origin === undefined || origin === 'null') return false
  if (!URL.canParse(origin)) return true
  return origin !== new URL(baseAddressOf(request, house)).origin && new URL(origin).host !== host
}
