import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { answerRevocation } from '../../access/oauth/revocation.ts'
import { clientRequestOf, sendOAuthJson } from './oauth-answer.ts'

export function addRevoke(scope: FastifyInstance, path: string, installation: Installation): void {
  scope.post(path, async (request, reply) => {
    await answerRevocation(installation, clientRequestOf(request, installation))
    return sendOAuthJson(reply, { revoked: true })
  })
}
