import { isDeepStrictEqual } from 'node:util'
import type { Writing } from '../../storage/database.ts'
import { control, decodeBasic } from '../basic.ts'
import type { Visitor } from '../credentials.ts'
import type { Ground } from '../ground.ts'
import { hashOf, isSame } from '../secrets.ts'
import { type Client, clientToAdmit, findClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { type Parameters, parameter } from './parameters.ts'

/** What a token, revocation or introspection request brings along. */
export interface ClientRequest extends Visitor {
  readonly parameters: Parameters
  readonly authorization: string | undefined
}

interface ClientCredentials {
  readonly id: string
  readonly secret: string | undefined
}

export async function authenticateClient(ground: Ground, request: ClientRequest): Promise<Client> {
  const credentials = credentialsOf(request)
  if (!credentials) throw invalidClient('Client credentials were not found in the headers or body')
  return judge(ground, credentials)
}

/** Null where the request names no client at all. */
export async function authenticateClientIfNamed(ground: Ground, request: ClientRequest): Promise<Client | null> {
  const credentials = credentialsOf(request)
  return credentials && judge(ground, credentials)
}

/** The client that a request names, proven or not. */
export function clientIdIn(request: ClientRequest): string | null {
  return credentialsOf(request)?.id ?? null
}

async function judge(ground: Ground, { id, secret }: ClientCredentials): Promise<Client> {
  const client = await ground.database.read((rows) => findClient(ground, rows, id))
  const isRight = isSame(secret === undefined ? '' : hashOf(secret), client?.secretHash ?? '')
  if (!client || client.disabled || !isRight) {
    throw invalidClient('This client is unknown, or its secret is missing or wrong')
  }
  return client
}

/** Runs what gives tokens to a client that has proven who it is; not if the client was changed since. */
export async function giveTo<T>(ground: Ground, client: Client, work: (rows: Writing) => Promise<T>): Promise<T> {
  return ground.database.write(async (rows) => {
    if (isDeepStrictEqual(await clientToAdmit(ground, rows, client.id), client)) return work(rows)
    throw invalidClient('This client was changed at this moment: ask again')
  })
}

/** RFC 6749 section 2.3.1: HTTP Basic or the body, not both. A Bearer header says nothing about the client. */
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
