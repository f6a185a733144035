import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { requireSoundDeclarations } from '../../access/oauth/client-rules.ts'
import type { Door } from '../http/server.ts'
import { addAuthorize } from './authorize.ts'
import { addIntrospect } from './introspect.ts'
import { addMetadata } from './metadata.ts'
import { refuseInOAuthWords } from './oauth-answer.ts'
import { addRevoke } from './revoke.ts'
import { addToken } from './token.ts'

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

function addEndpoints(scope: FastifyInstance, prefix: string, installation: Installation): void {
  refuseInOAuthWords(scope)
  addAuthorize(scope, `${prefix}/authorize`, installation)
  addToken(scope, `${prefix}/token`, installation)
  addRevoke(scope, `${prefix}/revoke`, installation)
  addIntrospect(scope, `${prefix}/introspect`, installation)
}
