import { BlockList, isIP } from 'node:net'
import type { Settings } from '../../config.ts'

const known = new WeakMap<Settings, BlockList>()

/** Is this neighbour one whose forwarded headers are believed? */
export function isTrustedProxy(address: string, settings: Settings): boolean {
  if (settings.trustedProxies.length === 0) return false
  const plain = plainAddress(address)
  return trustedBy(settings).check(plain, familyOf(plain))
}

/** Throws where the setting cannot be understood, so that a server with a wrong one does not start. */
export function trustedBy(settings: Settings): BlockList {
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
