import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ClientRequest } from '../../access/oauth/client-authentication.ts'
import { requireSoundDeclarations } from '../../access/oauth/client-rules.ts'
import { answerIntrospection } from '../../access/oauth/introspection.ts'
import { authorizationServerMetadata } from '../../access/oauth/metadata.ts'
import { OAuthRefusal } from '../../access/oauth/oauth-refusal.ts'
import { answerRevocation } from '../../access/oauth/revocation.ts'
import { answerTokenRequest } from '../../access/oauth/token-endpoint.ts'
import { decodedOrAsItStands } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import { readForm } from '../http/body.ts'
import { authorizationOf, visitorOf } from '../http/caller.ts'
import { baseAddressOf, type ScriptAccess } from '../http/origin.ts'
import { answerTo } from '../http/problem-details.ts'
import type { Door } from '../http/server.ts'
import { addAuthorize } from './authorize.ts'

/** What the token endpoint answers is for the very client that asked. */
export const oauthScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/oauth2?\/authorize(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/oauth2?\//, openTo: 'the origins of the asking client' },
]

/** The authorization server (spec 5.2), once under its own name and once under the older one. */
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
    const metadata = authorizationServerMetadata(installation, baseAddressOf(request, installation))
    reply.header('content-type', 'application/json').send(JSON.stringify(metadata))
  })
}

function addEndpoints(scope: FastifyInstance, prefix: string, installation: Installation): void {
  refuseInOAuthWords(scope)
  addAuthorize(scope, `${prefix}/authorize`, installation)
  scope.post(`${prefix}/token`, async (request, reply) =>
    sendOAuthJson(reply, await answerTokenRequest(installation, clientRequestOf(request, installation))),
  )
  scope.post(`${prefix}/revoke`, async (request, reply) => {
    await answerRevocation(installation, clientRequestOf(request, installation))
    return sendOAuthJson(reply, { revoked: true })
  })
  scope.post(`${prefix}/introspect`, async (request, reply) =>
    sendOAuthJson(reply, await answerIntrospection(installation, clientRequestOf(request, installation))),
  )
}

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

/** RFC 6749 section 5.2 has a form of its own for a no; every route of this scope answers in it. */
function refuseInOAuthWords(scope: FastifyInstance): void {
  scope.setErrorHandler((thrown, request, reply) => {
    answerTo(thrown, request, reply)
    if (reply.statusCode === 401) reply.header('www-authenticate', 'Basic realm="farm"')
    return sendOAuthJson(reply, errorOf(thrown, reply.statusCode))
  })
}

function errorOf(thrown: unknown, status: number): object {
  if (thrown instanceof OAuthRefusal) return { error: thrown.error, error_description: thrown.message }
  if (status >= 500 && status !== 503) return { error: 'server_error' }
  const error = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
  return thrown instanceof Refusal ? { error, error_description: thrown.message } : { error }
}
