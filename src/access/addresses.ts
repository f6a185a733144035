import { isIPv6 } from 'node:net'

/** Whoever holds one IPv6 address holds its whole /64: they count as one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  return `${groupsOf(address.replace(/%.*$/, '')).slice(0, 4).join(':')}::/64`
}

function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((group) =>
    group.replace(/^0+(?=.)/, '').toLowerCase(),
  )
}
