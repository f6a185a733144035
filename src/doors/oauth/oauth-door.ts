import type { FastifyInstance } from 'fastify'
import { requireSoundDeclarations } from '../../access/oauth/client-rules.ts'
import type { House } from '../http/house.ts'
import type { Door } from '../http/server.ts'
import { addAuthorize } from './authorize.ts'
import { addIntrospect } from './introspect.ts'
import { addMetadata } from './metadata.ts'
import { refuseInOAuthWords } from './oauth-answer.ts'
import { addRevoke } from './revoke.ts'
import { addToken } from './token.ts'

/** The authorization server (spec 5.2), once under its own name and once under the older one. */
export const oauthDoor: Door = (app, house) => {
  requireSoundDeclarations(house)
  addMetadata(app, house)
  app.register(async (scope) => addEndpoints(scope, '/oauth', house))
  app.register(async (scope) => {
    scope.addHook('onSend', (_request, reply, _payload, done) => {
      reply.header('deprecation', 'true')
      done()
    })
    addEndpoints(scope, '/oauth2', house)
  })
}

function addEndpoints(scope: FastifyInstance, prefix: string, house: House): void {
  refuseInOAuthWords(scope)
  addAuthorize(scope, `${prefix}/authorize`, house)
  addToken(scope, `${prefix}/token`, house)
  addRevoke(scope, `${prefix}/revoke`, house)
  addIntrospect(scope, `${prefix}/introspect`, house)
}
