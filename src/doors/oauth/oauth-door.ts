import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { requireSoundDeclarations } from '../../access/oauth/client-rules.ts'
import { answerIntrospection } from '../../access/oauth/introspection.ts'
import { authorizationServerMetadata } from '../../access/oauth/metadata.ts'
import { answerRevocation } from '../../access/oauth/revocation.ts'
import { answerTokenRequest } from '../../access/oauth/token-endpoint.ts'
import { baseAddressOf } from '../http/base-address.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import type { Door } from '../http/server.ts'
import { addAuthorize } from './authorize.ts'
import { clientRequestOf, refuseInOAuthWords, sendOAuthJson } from './oauth-answer.ts'

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
