import { Refusal } from '../../refusal.ts'

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=\/|$)/

/** RFC 8252 section 7.1: a scheme of one's own is a reversed domain name, so it has a dot. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^/]/

/** Refuses what could send a code to somebody else (RFC 9700 section 4.1). */
export function requireRedirectUri(uri: string): void {
  const written = canonical(uri)
  if (written === null || /[#*\\\s]/.test(uri)) {
    throw refused(uri, 'it must be a whole address without fragment, wildcard or user name')
  }
  if (!uri.startsWith('https://') && !loopback.test(uri) && !privateScheme.test(uri)) {
    throw refused(
      uri,
      'it must begin with https:// or a scheme such as org.example.app:/; http:// is for localhost, 127.0.0.1 and [::1] only',
    )
  }
  if (written !== uri && written !== `${uri}/`) throw refused(uri, `write it as ${written}`)
}

function canonical(uri: string): string | null {
  if (!URL.canParse(uri)) return null
  const { href, username, password } = new URL(uri)
  return username || password ? null : href
}

function refused(uri: string, reason: string): Refusal {
  return new Refusal('invalid-content', `The redirect URI "${uri.slice(0, 200)}" cannot be registered: ${reason}.`)
}

/** Byte for byte, but a program on the user's own machine may listen on any port (RFC 8252 section 7.3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some(
    (known) =>
      uri === known ||
      (loopback.test(known) && loopback.test(uri) && URL.canParse(uri) && portless(uri) === portless(known)),
  )
}

function portless(uri: string): string {
  return uri.replace(loopback, (start) => start.replace(/:\d+$/, ''))
}
