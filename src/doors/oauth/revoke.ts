import type { FastifyInstance } from 'fastify'
import { answerRevocation } from '../../access/oauth/revocation.ts'
import type { House } from '../http/house.ts'
import { clientRequestOf, sendOAuthJson } from './oauth-answer.ts'

export function addRevoke(scope: FastifyInstance, path: string, house: House): void {
  scope.post(path, async (request, reply) => {
    await answerRevocation(house, clientRequestOf(request, house))
    return sendOAuthJson(reply, { revoked: true })
  })
}
