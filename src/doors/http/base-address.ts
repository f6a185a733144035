import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { isTrustedProxy, plainAddress } from './trusted-proxies.ts'

const hostAndPort = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** The address that links begin with, without a trailing slash. */
export function baseAddressOf(request: FastifyRequest, installation: Installation): string {
  if (installation.settings.baseUrl !== null) return installation.settings.baseUrl
  const host = forwarded(request, installation, 'x-forwarded-host') ?? request.headers.host ?? ''
  if (!hostAndPort.test(host)) throw new Refusal('bad-request', 'The Host header does not name a host.')
  return `${schemeOf(request, installation)}://${host}`
}

/** Who is asking: the nearest address that no trusted proxy stands for. */
export function clientAddressOf(request: FastifyRequest, installation: Installation): string {
  let address = plainAddress(request.socket.remoteAddress ?? '')
  const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
  while (isTrustedProxy(address, installation.settings)) {
    const hop = plainAddress(hops.pop()?.trim() ?? '')
    if (isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** A redirect would come too late, the credential has already travelled in the clear: so a refusal that says why. */
export function requireTls(request: FastifyRequest, installation: Installation): void {
  if (!installation.settings.requireTls || openToAll.has(request.url) || schemeOf(request, installation) === 'https')
    return
  const base = secureBaseOf(request, installation)
  const instead = base === null ? null : base + request.url
  throw new Refusal('tls-required', `This farm is reached over https only: use ${base ?? 'https://'} from the start.`, {
    instead,
  })
}

/** Whether the server lives, and how the page looks that says to use https: nothing to hide. */
const openToAll: ReadonlySet<string> = new Set(['/healthz', '/furrow.css'])

/** Null where nothing says which host is meant. The port that plain http came to is not that of https. */
function secureBaseOf({ headers: { host = '' } }: FastifyRequest, { settings }: Installation): string | null {
  if (settings.baseUrl !== null) return settings.baseUrl
  return hostAndPort.test(host) ? `https://${host.replace(/:\d+$/, '')}` : null
}

/** The server itself speaks no TLS; the proxy before it does. */
const schemeOf = (request: FastifyRequest, installation: Installation): 'http' | 'https' =>
  forwarded(request, installation, 'x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'

/** The last value is the one that our own neighbour wrote; those before it may be the caller's invention. */
function forwarded(request: FastifyRequest, installation: Installation, header: string): string | undefined {
  const value = request.headers[header]
  if (value === undefined || !isTrustedProxy(request.socket.remoteAddress ?? '', installation.settings))
    return undefined
  return String(value).split(',').at(-1)?.trim()
}
