import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { pathOf } from './negotiation.ts'

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Why no route took this request: the path is unknown, or known with other methods. */
export function refusalOfUnrouted(app: FastifyInstance, request: FastifyRequest): Refusal {
  const allow = methodsOf(app, request)
  if (allow.length === 0) return new Refusal('not-found', 'There is nothing at this address.')
  const named = allow.join(', ')
  return new Refusal('method-not-allowed', `${request.method} does not work here; ${named} do.`, { allow })
}

/** OPTIONS on a path that has no answer of its own to it. */
export async function answerOptions(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const allow = methodsOf(app, request)
  if (allow.length === 0) throw refusalOfUnrouted(app, request)
  await reply.code(204).header('allow', allow.join(', ')).send()
}

function methodsOf(app: FastifyInstance, request: FastifyRequest): string[] {
  const url = pathOf(request)
  const found: string[] = methods.filter((method) => app.findRoute({ method, url }) !== null)
  return found.length === 0 ? found : [...found, 'OPTIONS']
}
