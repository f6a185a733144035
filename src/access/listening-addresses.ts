import { networkInterfaces } from 'node:os'
import type { ServerSettings } from '../config.ts'

/**
 * Browser addresses of a server on this host and port. A server on all interfaces has every address of this machine.
 */
export function listeningAddresses(
  { host, tls }: Pick<ServerSettings, 'host' | 'tls'>,
  port: number,
): readonly [string, ...string[]] {
  const scheme = tls === null ? 'http' : 'https'
  const address = (name: string) => `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`
  if (host === '0.0.0.0') return [address('127.0.0.1'), ...addressesOnNetworks(['IPv4']).map(address)]
  if (host === '::') return [address('::1'), ...addressesOnNetworks(['IPv4', 'IPv6']).map(address)]
  return [address(host)]
}

export const isOfThisMachine = (address: string): boolean =>
  /^https?:\/\/(?:127\.[\d.]+|\[::1\]|localhost)(?::\d+)?$/i.test(address)

/** Link-local addresses need the name of the interface, which browsers do not accept. */
const ofTheLink = /^(?:fe[89ab]|169\.254\.)/i

const addressesOnNetworks = (families: readonly string[]): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && families.includes(family) && !ofTheLink.test(address))
    .map(({ address }) => address)
