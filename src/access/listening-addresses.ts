import { networkInterfaces } from 'node:os'

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

/** An address of the link alone is of no use without the name of the link, which browsers do not take. */
const ofTheLink = /^(?:fe[89ab]|169\.254\.)/i

const addressesOnNetworks = (families: readonly string[]): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => !internal && families.includes(family) && !ofTheLink.test(address))
    .map(({ address }) => address)
