import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../storage/database.ts'
import { control, decodeBasic } from '../basic.ts'
import type { Visitor } from '../credentials.ts'
import type { Installation } from '../installation.ts'
import { hashOf, isSame } from '../secrets.ts'
import { clientToAdmit, findClient, type OAuthClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { type OAuthParameters, parameter } from './parameters.ts'
import { type Issuer, signatureKey } from './tokens.ts'

/** A token, revocation or introspection request. */
export interface ClientRequest extends Visitor {
  readonly parameters: OAuthParameters
  readonly authorization: string | undefined
}

interface ClientCredentials {
  readonly id: string
  readonly secret: string | undefined
}

export async function authenticateClient(installation: Installation, request: ClientRequest): Promise<OAuthClient> {
  const credentials = credentialsOf(request)
  if (!credentials) throw invalidClient('Client credentials were not found in the headers or body')
  return judge(installation, credentials)
}

/** Null if the request names no client. */
export async function authenticateClientIfNamed(
  installation: Installation,
  request: ClientRequest,
): Promise<OAuthClient | null> {
  const credentials = credentialsOf(request)
  return credentials && judge(installation, credentials)
}

/** The client that a request names, authenticated or not. */
export function clientIdIn(request: ClientRequest): string | null {
  return credentialsOf(request)?.id ?? null
}

async function judge(installation: Installation, { id, secret }: ClientCredentials): Promise<OAuthClient> {
  const client = await installation.database.ask((snapshot) => findClient(installation, snapshot, id))
  const isRight = isSame(secret === undefined ? '' : hashOf(secret), client?.secretHash ?? '')
  if (!client || client.disabled || !isRight) {
    throw invalidClient('This client is unknown, or its secret is missing or wrong')
  }
  return client
}

/** Issues tokens to an authenticated client, unless the client was changed since. */
export async function giveTo<T>(
  installation: Installation,
  client: OAuthClient,
  work: (tx: Transaction, issuer: Issuer) => Promise<T>,
): Promise<T> {
  const { farm, database, clock } = installation
  // Before the transaction: the first call creates the key in a transaction of its own.
  const key = await signatureKey(database)
  return database.write(async (tx) => {
    if (isDeepStrictEqual(await clientToAdmit(installation, tx, client.id), client))
      return work(tx, { farm, key, now: clock() })
    throw invalidClient('This client was changed at this moment: ask again')
  })
}

/** RFC 6749 section 2.3.1: HTTP Basic or the body, not both. A Bearer header does not authenticate a client. */
function credentialsOf({ parameters, authorization }: ClientRequest): ClientCredentials | null {
  const inBody = { id: parameter(parameters, 'client_id'), secret: parameter(parameters, 'client_secret') }
  const basic = /^basic(?: +(.*))?$/i.exec(authorization ?? '')
  if (!basic) return inBody.id === undefined ? null : { id: inBody.id, secret: inBody.secret }
  const header = fromBasic(basic[1] ?? '')
  if (!header) throw invalidClient('The Authorization header holds no client id and secret')
  if (inBody.secret !== undefined || (inBody.id !== undefined && inBody.id !== header.id)) {
    throw new OAuthRefusal('invalid_request', 'The client is named both in the header and in the body')
  }
  return header
}

function fromBasic(encoded: string): ClientCredentials | null {
  const pair = decodeBasic(encoded.trim())
  if (!pair) return null
  const id = formDecoded(pair.name)
  const secret = formDecoded(pair.password)
  if (id === null || secret === null || id === '' || control.test(id)) return null
  return { id, secret: secret === '' ? undefined : secret }
}

/** RFC 6749 appendix B. */
function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function invalidClient(description: string): OAuthRefusal {
  return new OAuthRefusal('invalid_client', description)
}
