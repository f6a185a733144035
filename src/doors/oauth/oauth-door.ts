import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ClientRequest } from '../../access/oauth/client-authentication.ts'
import { requireSoundDeclarations } from '../../access/oauth/client-rules.ts'
import { answerIntrospection } from '../../access/oauth/introspection.ts'
import { authorizationServerMetadata } from '../../access/oauth/metadata.ts'
import { OAuthRefusal } from '../../access/oauth/oauth-refusal.ts'
import { answerRevocation } from '../../access/oauth/revocation.ts'
import { answerTokenRequest } from '../../access/oauth/token-endpoint.ts'
import { grants } from '../../farm/people/clients.ts'
import { decodedOrAsItStands } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import { readForm } from '../http/body.ts'
import { authorizationOf, visitorOf } from '../http/caller.ts'
import {
  answer,
  type DocumentOf,
  type DoorDescription,
  form,
  inBody,
  objectOf,
  operation,
  type Paths,
  responseRef,
  type Schema,
  schemaRef,
  text,
  webAddress,
} from '../http/openapi.ts'
import type { ScriptAccess } from '../http/origin.ts'
import { baseAddressOf } from '../http/origin.ts'
import { answerTo } from '../http/problem-details.ts'
import type { Door } from '../http/server.ts'
import { addAuthorize, authorizePaths } from './authorize.ts'

/** Answers of the token endpoint are for the client that asked. */
export const oauthScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/oauth2?\/authorize(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/oauth2?\//, openTo: 'the origins of the asking client' },
]

/** The authorization server (spec 5.2), at its current and its older path. */
export const oauthDoor: Door = (app, installation) => {
  requireSoundDeclarations(installation)
  addMetadata(app, installation)
  app.register(async (scope) => addEndpoints(scope, '/oauth', installation))
  app.register(async (scope) => {
    scope.addHook('onSend', (_request, reply, _payload, done) => {
      reply.header('deprecation', 'true')
      done()
    })
    addEndpoints(scope, '/oauth2', installation)
  })
}

function addMetadata(app: FastifyInstance, installation: Installation): void {
  app.get('/.well-known/oauth-authorization-server', (request, reply) => {
    const metadata: DocumentOf<typeof metadataSchema> = authorizationServerMetadata(
      installation,
      baseAddressOf(request, installation),
    )
    reply.header('content-type', 'application/json').send(JSON.stringify(metadata))
  })
}

const metadataSchema = { type: 'object', properties: { issuer: webAddress }, required: ['issuer'] } as const

const metadataPaths: Paths = {
  '/.well-known/oauth-authorization-server': {
    get: operation({
      id: 'readAuthorizationServer',
      summary: 'What the authorization server can do (RFC 8414)',
      tag: 'access',
      responses: { '200': answer('Its metadata', 'json', metadataSchema), '4XX': responseRef('Problem') },
      security: [],
    }),
  },
}

function addEndpoints(scope: FastifyInstance, prefix: string, installation: Installation): void {
  refuseInOAuthWords(scope)
  addAuthorize(scope, `${prefix}/authorize`, installation)
  scope.post(`${prefix}/token`, async (request, reply) => {
    const tokens: DocumentOf<typeof tokenSchema> = await answerTokenRequest(
      installation,
      clientRequestOf(request, installation),
    )
    return sendOAuthJson(reply, tokens)
  })
  scope.post(`${prefix}/revoke`, async (request, reply) => {
    await answerRevocation(installation, clientRequestOf(request, installation))
    const revoked: DocumentOf<typeof revocationSchema> = { revoked: true }
    return sendOAuthJson(reply, revoked)
  })
  scope.post(`${prefix}/introspect`, async (request, reply) => {
    const introspection: DocumentOf<typeof introspectionSchema> = await answerIntrospection(
      installation,
      clientRequestOf(request, installation),
    )
    return sendOAuthJson(reply, introspection)
  })
}

/** What the endpoints say of themselves, once under each name. */
export const oauthDescription = (): DoorDescription => ({
  paths: { ...oauthPaths('/oauth'), ...deprecated(oauthPaths('/oauth2')), ...metadataPaths },
  schemas: { Token: tokenSchema, Introspection: introspectionSchema, OAuthError: errorSchema },
})

function oauthPaths(prefix: string): Paths {
  const word = prefix === '/oauth' ? '' : 'ByOldName'
  return {
    ...authorizePaths(`${prefix}/authorize`, `authorize${word}`),
    [`${prefix}/token`]: {
      post: operation({
        id: `token${word}`,
        summary: 'Get or refresh a token',
        tag: 'access',
        body: inBody(tokenRequest),
        responses: { '200': answer('The token', 'json', schemaRef('Token')), ...oauthRefused },
        security: [],
      }),
    },
    [`${prefix}/revoke`]: {
      post: operation({
        id: `revoke${word}`,
        summary: 'End a token and all that came from it (RFC 7009)',
        tag: 'access',
        body: inBody(tokenQuestion),
        responses: {
          '200': answer('It is ended', 'json', revocationSchema),
          ...oauthRefused,
        },
        security: [],
      }),
    },
    [`${prefix}/introspect`]: {
      post: operation({
        id: `introspect${word}`,
        summary: 'Ask about a token of one’s own (RFC 7662)',
        tag: 'access',
        body: inBody(tokenQuestion),
        responses: { '200': answer('About the token', 'json', schemaRef('Introspection')), ...oauthRefused },
        security: [],
      }),
    },
  }
}

const deprecated = (paths: Paths): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, one]) => [method, { ...(one as Schema), deprecated: true }]),
      ),
    ]),
  )

const client = { client_id: text, client_secret: text }

const oauthRefused: Schema = {
  '400': responseRef('OAuthError'),
  '401': responseRef('OAuthError'),
  '4XX': responseRef('OAuthError'),
  '5XX': responseRef('OAuthError'),
}

const tokenRequest = form(
  {
    grant_type: { type: 'string', enum: grants },
    ...client,
    code: text,
    redirect_uri: text,
    code_verifier: text,
    refresh_token: text,
    username: text,
    password: { type: 'string', format: 'password' },
    scope: { type: 'string', description: 'Scopes, with a space between' },
  },
  ['grant_type'],
)

const tokenQuestion = form({ ...client, token: text, token_type_hint: text }, ['token'])

const tokenSchema = objectOf({
  properties: {
    access_token: { type: 'string', description: 'For role scopes a JWT, which nobody needs to read' },
    expires_in: {
      anyOf: [
        { type: 'string', pattern: '^[0-9]+$' },
        { type: 'integer', description: 'For role scopes, and for clients registered so' },
      ],
      description: 'Seconds',
    },
    token_type: { const: 'Bearer' },
    scope: text,
    refresh_token: text,
  },
  required: ['access_token', 'expires_in', 'token_type', 'scope'],
})

const introspectionSchema = {
  type: 'object',
  properties: {
    active: { type: 'boolean' },
    scope: text,
    client_id: text,
    username: text,
    sub: text,
    token_type: text,
    iat: { type: 'integer' },
    exp: { type: 'integer' },
  },
  required: ['active'],
} as const

const revocationSchema = objectOf({ properties: { revoked: { const: true } } })

const errorSchema = objectOf({ properties: { error: text, error_description: text }, required: ['error'] })

export function clientRequestOf(request: FastifyRequest, installation: Installation): ClientRequest {
  return {
    parameters: readForm(request, decodedOrAsItStands),
    authorization: authorizationOf(request),
    ...visitorOf(request, installation),
  }
}

function sendOAuthJson(reply: FastifyReply, content: object): FastifyReply {
  return reply.headers(jsonHeaders).send(JSON.stringify(content))
}

const jsonHeaders = {
  'content-type': 'application/json;charset=utf-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
} as const

/** RFC 6749 section 5.2 defines its own form of errors; every route of this scope uses it. */
function refuseInOAuthWords(scope: FastifyInstance): void {
  scope.setErrorHandler((thrown, request, reply) => {
    answerTo(thrown, request, reply)
    if (reply.statusCode === 401) reply.header('www-authenticate', 'Basic realm="farm"')
    return sendOAuthJson(reply, errorOf(thrown, reply.statusCode))
  })
}

function errorOf(thrown: unknown, status: number): DocumentOf<typeof errorSchema> {
  if (thrown instanceof OAuthRefusal) return { error: thrown.error, error_description: thrown.message }
  if (status >= 500 && status !== 503) return { error: 'server_error' }
  const error = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  return thrown instanceof Refusal ? { error, error_description: thrown.message } : { error }
}
