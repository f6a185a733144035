import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { answerIntrospection } from '../../access/oauth/introspection.ts'
import { clientRequestOf, sendOAuthJson } from './oauth-answer.ts'

export function addIntrospect(scope: FastifyInstance, path: string, installation: Installation): void {
  scope.post(path, async (request, reply) =>
    sendOAuthJson(reply, await answerIntrospection(installation, clientRequestOf(request, installation))),
  )
}
