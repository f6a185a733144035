/** The path and query that a part asks for: absolute addresses and such without a slash are taken, and what an address must not hold is encoded. */
export function addressIn(uri: string, base: string): string {
  const [plain = ''] = uri.split('#', 1)
  const path = plain.startsWith(base) ? plain.slice(base.length) : plain.replace(/^https?:\/\/[^/?]*/i, '')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return rooted.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
}

/** Parts ask this interface and nothing else. */
export const isWithin = (address: string): boolean => /^\/api(?:[/?]|$)/.test(address)
