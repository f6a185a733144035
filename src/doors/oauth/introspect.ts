import type { FastifyInstance } from 'fastify'
import { answerIntrospection } from '../../access/oauth/introspection.ts'
import type { House } from '../http/house.ts'
import { clientRequestOf, sendOAuthJson } from './oauth-answer.ts'

export function addIntrospect(scope: FastifyInstance, path: string, house: House): void {
  scope.post(path, async (request, reply) =>
    sendOAuthJson(reply, await answerIntrospection(house, clientRequestOf(request, house))),
  )
}
