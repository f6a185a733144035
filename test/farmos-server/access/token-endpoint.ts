import { type Answer, json } from '../wire/answer.ts'
import type { Passwords } from './passwords.ts'
import type { Tokens } from './tokens.ts'

interface TokenRequest {
  readonly method: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, string>>
}

interface Doors {
  readonly passwords: Passwords
  readonly tokens: Tokens
}

const clients = new Set(['farm', 'farm_client', 'farmos_development'])
const scopes = new Set(['user_access', 'farm_info'])

const refused = (error: string, error_description: string, status = 400): Answer =>
  unkept(json({ error, error_description }, status))

const unkept = ({ status, headers, body }: Answer): Answer => ({
  status,
  headers: { ...headers, 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  body,
})

/** `POST /oauth2/token`: a form or JSON, the client in the body or as Basic with an empty secret. */
export function tokenAnswer(request: TokenRequest, doors: Doors): Answer {
  if (request.method !== 'POST')
    return refused('invalid_request', 'The request method must be POST when requesting an access token', 405)
  const { body } = request
  if (body.grant_type === undefined)
    return refused('invalid_request', 'The grant type was not specified in the request')
  if (body.grant_type !== 'password' && body.grant_type !== 'refresh_token')
    return refused('unsupported_grant_type', `Grant type "${body.grant_type}" not supported`)
  const [client, secret] = clientIn(request)
  if (client === undefined) return refused('invalid_client', 'Client credentials were not found in the headers or body')
  if (!clients.has(client))
    return refused('invalid_client', 'This client is invalid or must authenticate using a client secret')
  if (secret !== '') return refused('invalid_client', 'The client credentials are invalid')
  return body.grant_type === 'password' ? byPassword(client, body, doors) : byRefresh(client, body, doors)
}

function clientIn({ authorization, body }: TokenRequest): [string | undefined, string] {
  const [, encoded] = /^Basic (.*)$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return [body.client_id, body.client_secret ?? '']
  const [client = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  return [client, secret]
}

function byPassword(client: string, body: TokenRequest['body'], { passwords, tokens }: Doors): Answer {
  const { username, password, scope } = body
  if (username === undefined || password === undefined)
    return refused('invalid_request', 'Missing parameters: "username" and "password" required')
  const account = passwords.byGrant(username, password)
  if (account === undefined) return refused('invalid_grant', 'Invalid username and password combination', 401)
  if (scope === undefined || scope === '')
    return refused('invalid_scope', 'This application requires you specify a scope parameter')
  if (scope.split(' ').some((word) => !scopes.has(word)))
    return refused('invalid_scope', 'An unsupported scope was requested')
  return unkept(json(tokens.issue({ user: account.id, scope, client })))
}

function byRefresh(client: string, body: TokenRequest['body'], { tokens }: Doors): Answer {
  const { refresh_token: refresh, scope } = body
  if (refresh === undefined) return refused('invalid_request', 'Missing parameter: "refresh_token" is required')
  const holder = tokens.refreshing(refresh)
  if (holder === 'unknown') return refused('invalid_grant', 'Invalid refresh token')
  if (holder === 'ended') return refused('invalid_grant', 'Refresh token has expired')
  if (holder.client !== client)
    return refused('invalid_grant', "refresh_token doesn't exist or is invalid for the client")
  const granted = holder.scope.split(' ')
  if (scope?.split(' ').some((word) => !granted.includes(word)))
    return refused('invalid_scope', 'The scope requested is invalid for this request')
  tokens.spend(refresh)
  return unkept(json(tokens.issue({ ...holder, ...(scope !== undefined && { scope }) })))
}
