import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientIdIn } from '../../access/oauth/client-authentication.ts'
import { allClients } from '../../access/oauth/clients.ts'
import type { House } from '../http/house.ts'
import { pathOf } from '../http/negotiation.ts'
import { clientRequestOf } from './oauth-answer.ts'

const pages = /^\/(?:oauth2?\/authorize|user\/(?:login|logout)|account|setup)(?:\/|$)/
const endpoints = /^\/oauth2?\//

/**
 * Scripts of the origins that a client registered may read answers, everywhere but on pages; they carry tokens and never
 * cookies. An answer of the token endpoint is for the origins of the very client that asked.
 */
export function addCors(app: FastifyInstance, house: House): void {
  // Not a promise for every answer: few come from a script of another origin.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { origin } = request.headers
    if (origin === undefined || pages.test(pathOf(request))) return done()
    tellOrigin(origin, reply, house).then(() => done(), done)
  })
}

async function tellOrigin(origin: string, reply: FastifyReply, house: House): Promise<void> {
  const { request } = reply
  reply.header('vary', `${reply.getHeader('vary') ?? ''}, Origin`)
  if (!(await isAllowed(origin, request, house))) return
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed })
  if (request.method === 'OPTIONS') reply.headers(preflight)
}

const exposed = 'Location, ETag, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Deprecation'

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-CSRF-Token',
  'access-control-max-age': '600',
} as const

async function isAllowed(origin: string, request: FastifyRequest, house: House): Promise<boolean> {
  const clients = await house.database.read((rows) => allClients(house, rows))
  const allowed = clients.filter((client) => !client.disabled && client.origins.includes(origin))
  if (!endpoints.test(pathOf(request)) || request.method === 'OPTIONS') return allowed.length > 0
  const id = asking(request, house)
  return allowed.some((client) => client.id === id)
}

function asking(request: FastifyRequest, house: House): string | null {
  try {
    return clientIdIn(clientRequestOf(request, house))
  } catch {
    return null
  }
}
