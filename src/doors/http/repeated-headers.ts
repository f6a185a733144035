import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'

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
