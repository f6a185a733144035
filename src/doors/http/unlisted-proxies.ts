import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { isTrustedProxy, plainAddress } from './trusted-proxies.ts'

const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'] as const

/** Enough for the proxies that one forgets to list; strangers who send such headers are not to fill the log. */
const mostNeighbours = 8

/** Says once of each neighbour that its forwarded headers are ignored, and what to set if it is a proxy. */
export function watchForUnlistedProxies(
  { settings, clock }: Installation,
  write: (line: string) => void,
): (request: FastifyRequest) => void {
  const told = new Set<string>()
  return ({ headers, socket }) => {
    const header = forwardedHeaders.find((name) => headers[name] !== undefined)
    if (header === undefined || told.size >= mostNeighbours) return
    const neighbour = plainAddress(socket.remoteAddress ?? '')
    if (neighbour === '' || told.has(neighbour) || isTrustedProxy(neighbour, settings)) return
    told.add(neighbour)
    const warning =
      `${header} from ${neighbour} is ignored, because it is not listed as a proxy. ` +
      `If it is yours, start with --trusted-proxy ${neighbour} (or FURROW_TRUSTED_PROXY).`
    write(`${JSON.stringify({ time: clock(), warning })}\n`)
  }
}
