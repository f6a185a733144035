import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ClientRequest } from '../../access/oauth/client-authentication.ts'
import { OAuthRefusal } from '../../access/oauth/oauth-refusal.ts'
import { decodedOrAsItStands } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import { readForm } from '../http/body.ts'
import { authorizationOf } from '../http/caller.ts'
import { answerTo } from '../http/rim.ts'
import { visitorOf } from '../http/visitor.ts'

export function clientRequestOf(request: FastifyRequest, installation: Installation): ClientRequest {
  return {
    parameters: readForm(request, decodedOrAsItStands),
    authorization: authorizationOf(request),
    ...visitorOf(request, installation),
  }
}

export function sendOAuthJson(reply: FastifyReply, content: object): FastifyReply {
  return reply.headers(jsonHeaders).send(JSON.stringify(content))
}

const jsonHeaders = {
  'content-type': 'application/json;charset=utf-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
} as const

/** RFC 6749 section 5.2 has a form of its own for a no; every route of this scope answers in it. */
export function refuseInOAuthWords(scope: FastifyInstance): void {
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
