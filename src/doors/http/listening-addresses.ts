import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { baseAddressOf } from './base-address.ts'

/** How to reach a server on this host and port in a browser: of one that listens everywhere, at every address of this machine. */
export function listeningAddresses(host: string, port: number): readonly [string, ...string[]] {
  const address = (name: string) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  if (host === '0.0.0.0') return [address('127.0.0.1'), ...addressesOnNetworks(['IPv4']).map(address)]
  if (host === '::') return [address('::1'), ...addressesOnNetworks(['IPv4', 'IPv6']).map(address)]
  return [address(host)]
}

/** Whether only this machine reaches that address. */
export const isOfThisMachine = (address: string): boolean =>
  /^https?:\/\/(?:127\.[\d.]+|\[::1\]|localhost)(?::\d+)?$/i.test(address)

/** Where others than this machine reach the farm, the best address first: none, where it listens to nobody else. */
export function addressesForOthers(request: FastifyRequest, installation: Installation): readonly string[] {
  const { baseUrl, host } = installation.settings
  if (baseUrl !== null) return [baseUrl]
  // A proxy, or a name of the network, is known by the request alone.
  const asked = baseAddressOf(request, installation)
  const addresses = [asked, ...listeningAddresses(host, request.socket.localPort ?? 0)]
  return [...new Set(addresses)].filter((address) => !isOfThisMachine(address))
}

/** The address that a link begins with which is handed to other people. */
export const addressToHandOn = (request: FastifyRequest, installation: Installation): string =>
  addressesForOthers(request, installation)[0] ?? baseAddressOf(request, installation)

/** An address of the link alone is of no use without the name of the link, which browsers do not take. */
const ofTheLink = /^(?:fe[89ab]|169\.254\.)/i

const addressesOnNetworks = (families: readonly string[]): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && families.includes(family) && !ofTheLink.test(address))
    .map(({ address }) => address)
