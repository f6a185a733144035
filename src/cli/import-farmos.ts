import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { Misuse } from './command.ts'
import { BadValue, type ReadText } from './option.ts'

/** The address of the other server as its operator gives it: a host, and the path that it may lie under. */
export const serverAddress: ReadText<URL> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.username + url.password + url.search + url.hash === ''
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) {
    throw new BadValue('the http:// or https:// address of a farmOS 1.x, without user, query or fragment')
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** As it is shown and as paths are put behind it: without a slash at its end. */
export const withoutSlash = (url: URL): string => url.href.replace(/\/$/, '')

const privateNetworks = new BlockList()
const ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
]
for (const [network, prefix, family] of ranges) privateNetworks.addSubnet(network, prefix, family)

const isPrivate = (address: string): boolean => privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A password or token would be readable on the way to a server that is neither near nor spoken to in secret. */
export async function refuseReadableWay(url: URL): Promise<void> {
  if (url.protocol === 'https:') return
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host]
  if (addresses.every(isPrivate)) return
  throw new Misuse(
    `${withoutSlash(url)} is not in a private network, and on the way there everybody could read the password and the records: ` +
      'give its https:// address, or --insecure.',
  )
}

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    throw new Misuse(`There is no host ${host}: look at the address.`)
  }
}
