import type { Farm } from '../../farm/farm.ts'
import { clientIdForm, isClientId } from '../../farm/people/clients.ts'
import { faultOfLine } from '../../fields/text.ts'
import { Refusal } from '../../refusal.ts'
import type { Installation } from '../installation.ts'
import { declaredClients, fromDeclaration, type OAuthClient } from './clients.ts'

const labelLength = 100

/** Rules for every client, declared or registered: refuses one that cannot work or is unsafe. */
export function requireSoundClient(farm: Farm, client: OAuthClient): void {
  requireThat(isClientId(client.id), `A client id has ${clientIdForm}`)
  const labelFits = client.label.trim() !== '' && client.label.length <= labelLength && !/\p{Cc}/u.test(client.label)
  requireThat(labelFits, `A label is one line of 1 to ${labelLength} characters.`)
  for (const uri of client.redirectUris) requireRedirectUri(uri)
  for (const origin of client.origins) requireOrigin(origin)
  requireKnown(
    client.scopes,
    farm.scopes.map(({ name }) => name),
    'scopes of this farm',
  )
  requireKnown(client.defaultScopes, client.scopes, "client's own scopes")
  requireThat(client.grants.length > 0, 'A client needs a grant.')
  if (client.grants.includes('authorization_code')) {
    requireThat(client.redirectUris.length > 0, 'The authorization code grant needs a redirect URI.')
  }
  if (client.grants.includes('client_credentials')) {
    requireThat(client.secretHash !== null, 'The client credentials grant needs a client with a secret.')
  }
}

/** Rules for a new label. */
export function requireLabel(label: string): void {
  const fault = faultOfLine(label)
  requireThat(fault === null, `The label ${fault}.`)
}

/** A server whose modules declare a faulty client does not start. */
export function requireSoundDeclarations(installation: Installation): void {
  for (const declaration of declaredClients(installation))
    requireSoundClient(installation.farm, fromDeclaration(declaration))
}

function requireKnown(names: readonly string[], known: readonly string[], whose: string): void {
  const unknown = names.find((name) => !known.includes(name))
  requireThat(unknown === undefined, `The scope "${unknown}" is none of the ${whose}: ${known.join(', ')}.`)
}

/** An origin as browsers send it: scheme, host and port, no path. */
function requireOrigin(origin: string): void {
  const isWeb = URL.canParse(origin) && new URL(origin).origin === origin
  requireThat(
    isWeb || /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(origin),
    `"${origin}" is not an origin such as https://app.example.`,
  )
}

function requireThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Refusal('invalid-content', otherwise)
}

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=\/|$)/

/** RFC 8252 section 7.1: a private-use scheme is a reversed domain name, so it has a dot. */
const privateScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^/]/

/** Refuses redirect URIs that could leak a code (RFC 9700 section 4.1). */
function requireRedirectUri(uri: string): void {
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

/** Compares byte for byte, but a loopback redirect may use any port (RFC 8252 section 7.3). */
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
