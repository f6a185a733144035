import type { Farm } from '../../farm/farm.ts'
import { clientIdForm, isClientId } from '../../farm/people/clients.ts'
import { faultOfLine } from '../../fields/characters.ts'
import { Refusal } from '../../refusal.ts'
import type { Installation } from '../installation.ts'
import { type Client, declaredClients, fromDeclaration } from './clients.ts'
import { requireRedirectUri } from './redirect-uri.ts'

const labelLength = 100

/** What holds for every client, however it came: refuses one that could not work or would be a danger. */
export function requireSoundClient(farm: Farm, client: Client): void {
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

/** What holds for a label that is new. */
export function requireLabel(label: string): void {
  const fault = faultOfLine(label)
  requireThat(fault === null, `The label ${fault}.`)
}

/** A server with a module that declares a faulty client does not start. */
export function requireSoundDeclarations(installation: Installation): void {
  for (const declaration of declaredClients(installation))
    requireSoundClient(installation.farm, fromDeclaration(declaration))
}

function requireKnown(names: readonly string[], known: readonly string[], whose: string): void {
  const unknown = names.find((name) => !known.includes(name))
  requireThat(unknown === undefined, `The scope "${unknown}" is none of the ${whose}: ${known.join(', ')}.`)
}

/** As a browser sends it: scheme, host and port, and no path. */
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
