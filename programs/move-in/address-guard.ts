import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { Refusal } from '../../src/refusal.ts'
import type { Connection } from './http-client.ts'

type Range = readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6']

const privateRanges: readonly Range[] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
]

/** Not on the public Internet either: this host, shared and documentation networks, multicast, translated addresses. */
const specialRanges: readonly Range[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix, family] of ranges) list.addSubnet(network, prefix, family)
  return list
}

const privateNetworks = listOf(privateRanges)
const notPublic = listOf([...privateRanges, ...specialRanges])

/** IPv4 addresses in IPv6 form (`::ffff:10.0.0.1`) count as what they stand for. */
const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The addresses of the host of a URL; undefined if there is no such host. */
async function addressesOf({ hostname }: URL): Promise<readonly string[] | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return [host]
  return lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => undefined,
  )
}

/** Whether passwords can be read on the way: plain HTTP to another network; `unknown` if there is no such host. */
export async function readableWay(url: URL): Promise<'private' | 'readable' | 'unknown'> {
  if (url.protocol === 'https:') return 'private'
  const addresses = await addressesOf(url)
  if (addresses === undefined) return 'unknown'
  return addresses.every((address) => isIn(privateNetworks, address)) ? 'private' : 'readable'
}

interface PinOptions {
  /** The operator lets managers move in from private networks and this machine. */
  readonly allowsPrivate: boolean
  readonly ready: () => Promise<void>
  readonly signal: AbortSignal
}

/**
 * A connection to an address that was looked up and checked once. Later requests go to that very address, whatever the
 * name stands for by then.
 */
export async function pinnedConnection(url: URL, { allowsPrivate, ready, signal }: PinOptions): Promise<Connection> {
  const addresses = await addressesOf(url)
  const [address] = addresses ?? []
  if (addresses === undefined || address === undefined)
    throw new Refusal('conflict', `There is no host ${url.hostname}. Look at the address.`)
  if (!allowsPrivate && addresses.some((one) => isIn(notPublic, one)))
    throw new Refusal(
      'conflict',
      `${url.host} is in a private network, or on this machine. Ask whoever runs the server: it must be started with --move-from-private.`,
    )
  if (url.protocol === 'http:' && !addresses.every((one) => isIn(privateNetworks, one)))
    throw new Refusal(
      'conflict',
      `On the way to ${url.host} everybody could read the password and the records. Give its https:// address.`,
    )
  const family = isIP(address) === 6 ? 6 : 4
  const toAddress: LookupFunction = (_host, { all }, found) =>
    all ? found(null, [{ address, family }]) : found(null, address, family)
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }
  signal.addEventListener('abort', () => Object.values(agents).forEach((agent) => void agent.destroy()), { once: true })
  return {
    ready,
    signal,
    request: (at, init) => {
      const isSecure = at.protocol === 'https:'
      const agent = agents[isSecure ? 'https:' : 'http:']
      return sendBy(isSecure ? httpsRequest : httpRequest, at, { init, options: { agent, lookup: toAddress } })
    },
  }
}

interface PinnedRequest {
  readonly init: RequestInit
  readonly options: RequestOptions
}

function sendBy(send: typeof httpRequest, url: URL, { init, options }: PinnedRequest): Promise<Response> {
  const body = init.body === undefined || init.body === null ? undefined : String(init.body)
  const headers: Record<string, string> = { ...(init.headers as Readonly<Record<string, string>>) }
  if (init.body instanceof URLSearchParams) headers['content-type'] = 'application/x-www-form-urlencoded'
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  const { method = 'GET', signal } = init
  return new Promise((resolve, reject) => {
    const sent = send(url, { ...options, method, headers, ...(signal ? { signal } : {}) }, (answer) => {
      const { statusCode: status = 502, rawHeaders } = answer
      const told = new Headers()
      for (let at = 0; at + 1 < rawHeaders.length; at += 2) told.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
      const isBare = status === 204 || status === 205 || status === 304
      if (isBare) answer.resume()
      // The cast is safe: both types describe the same web stream.
      const content = isBare ? null : (Readable.toWeb(answer) as unknown as ReadableStream)
      resolve(new Response(content, { status, headers: told }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
