import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { answerTokenRequest } from '../../access/oauth/token-endpoint.ts'
import { clientRequestOf, sendOAuthJson } from './oauth-answer.ts'

export function addToken(scope: FastifyInstance, path: string, installation: Installation): void {
  scope.post(path, async (request, reply) =>
    sendOAuthJson(reply, await answerTokenRequest(installation, clientRequestOf(request, installation))),
  )
}
