import { BlockList, isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ServerSettings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { pathOf } from './negotiation.ts'

const hostAndPort = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/** The address that links begin with, without a trailing slash. */
export function baseAddressOf(request: FastifyRequest, installation: Installation): string {
  if (installation.settings.baseUrl !== null) return installation.settings.baseUrl
  const host = forwarded(request, installation, 'x-forwarded-host') ?? request.headers.host ?? ''
  if (!hostAndPort.test(host)) throw new Refusal('bad-request', 'The Host header does not name a host.')
  return `${schemeOf(request, installation)}://${host}`
}

/** The client's address: the nearest one that is not a trusted proxy. */
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

/** The health check, and the style of the page that asks for https: both are public. */
const openToAll: ReadonlySet<string> = new Set(['/healthz', '/furrow.css'])

/** Null where nothing says which host is meant. The port that plain http came to is not that of https. */
function secureBaseOf({ headers: { host = '' } }: FastifyRequest, { settings }: Installation): string | null {
  if (settings.baseUrl !== null) return settings.baseUrl
  return hostAndPort.test(host) ? `https://${host.replace(/:\d+$/, '')}` : null
}

/** Either the server itself speaks TLS, or a proxy before it. */
const schemeOf = (request: FastifyRequest, installation: Installation): 'http' | 'https' =>
  installation.settings.tls !== null || forwarded(request, installation, 'x-forwarded-proto')?.toLowerCase() === 'https'
    ? 'https'
    : 'http'

/** The last value is the one that our own neighbour wrote; those before it may be the caller's invention. */
function forwarded(request: FastifyRequest, installation: Installation, header: string): string | undefined {
  const value = request.headers[header]
  if (value === undefined || !isTrustedProxy(request.socket.remoteAddress ?? '', installation.settings))
    return undefined
  return String(value).split(',').at(-1)?.trim()
}

const known = new WeakMap<ServerSettings, BlockList>()

/** Is this neighbour one whose forwarded headers are believed? */
export function isTrustedProxy(address: string, settings: ServerSettings): boolean {
  if (settings.trustedProxies.length === 0) return false
  const plain = plainAddress(address)
  return trustedProxiesOf(settings).check(plain, familyOf(plain))
}

/** Throws where the setting cannot be understood, so that a server with a wrong one does not start. */
export function trustedProxiesOf(settings: ServerSettings): BlockList {
  const before = known.get(settings)
  if (before) return before
  const list = new BlockList()
  for (const entry of settings.trustedProxies) addTo(list, entry)
  known.set(settings, list)
  return list
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.trim().split('/')
  if (isIP(address) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) {
    throw new Error(`The trusted proxy "${entry}" is neither an address nor a range such as 10.0.0.0/8.`)
  }
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A socket that listens on IPv6 shows its IPv4 neighbours as ::ffff:192.0.2.1. */
export const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

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

/** Default headers of every answer; a door can override them. */
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
  /** The status of a CORS preflight: 204, unless clients expect another. */
  readonly preflight?: 200
}

const usualScriptAccess: ScriptAccess = { paths: /^/, openTo: 'every registered origin' }

/** A script of another origin, and what the door that it calls declares. */
export interface AskingScript {
  readonly origin: string
  readonly access: ScriptAccess
}

type TellOrigin = (reply: FastifyReply, script: AskingScript) => Promise<void>

/** Has the answer to a script say whether it may be read. Not a promise for every answer: few go to scripts of another origin. */
export function answerScripts(app: FastifyInstance, declared: readonly ScriptAccess[], tell: TellOrigin): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { origin } = request.headers
    if (origin === undefined) return done()
    const path = pathOf(request)
    const access = declared.find(({ paths }) => paths.test(path)) ?? usualScriptAccess
    if (access.openTo === 'nobody') return done()
    tell(reply, { origin, access }).then(() => done(), done)
  })
}
