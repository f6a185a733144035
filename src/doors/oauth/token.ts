import type { FastifyInstance } from 'fastify'
import { answerTokenRequest } from '../../access/oauth/token-endpoint.ts'
import type { House } from '../http/house.ts'
import { clientRequestOf, sendOAuthJson } from './oauth-answer.ts'

export function addToken(scope: FastifyInstance, path: string, house: House): void {
  scope.post(path, async (request, reply) =>
    sendOAuthJson(reply, await answerTokenRequest(house, clientRequestOf(request, house))),
  )
}
