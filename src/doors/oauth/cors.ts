import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { clientIdIn } from '../../access/oauth/client-authentication.ts'
import { allClients } from '../../access/oauth/clients.ts'
import { type AskingScript, answerScripts, type ScriptAccess } from '../http/origin.ts'
import { clientRequestOf } from './oauth-door.ts'

/**
 * CORS: scripts of origins that a client registered can read answers, except where a door declares otherwise. They send
 * tokens, never cookies.
 */
export function addCors(app: FastifyInstance, installation: Installation, declared: readonly ScriptAccess[]): void {
  answerScripts(app, declared, (reply, script) => tellOrigin(reply, installation, script))
}

async function tellOrigin(reply: FastifyReply, installation: Installation, script: AskingScript): Promise<void> {
  reply.header('vary', `${reply.getHeader('vary') ?? ''}, Origin`)
  if (!(await isAllowed(reply.request, installation, script))) return
  reply.headers({ 'access-control-allow-origin': script.origin, 'access-control-expose-headers': exposed })
  const methods = reply.getHeader('allow')
  if (reply.request.method !== 'OPTIONS' || methods === undefined) return
  reply.code(script.access.preflight ?? reply.statusCode)
  reply.headers({ ...preflight, 'access-control-allow-methods': methods })
}

const exposed =
  'Location, ETag, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Change-Set, Dry-Run, Deprecation'

const preflight = {
  'access-control-allow-headers':
    'Accept, Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-CSRF-Token',
  'access-control-max-age': '600',
} as const

async function isAllowed(
  request: FastifyRequest,
  installation: Installation,
  { origin, access }: AskingScript,
): Promise<boolean> {
  const clients = await installation.database.read((snapshot) => allClients(installation, snapshot))
  const allowed = clients.filter((client) => !client.disabled && client.origins.includes(origin))
  if (access.openTo === 'every registered origin' || request.method === 'OPTIONS') return allowed.length > 0
  const id = asking(request, installation)
  return allowed.some((client) => client.id === id)
}

function asking(request: FastifyRequest, installation: Installation): string | null {
  try {
    return clientIdIn(clientRequestOf(request, installation))
  } catch {
    return null
  }
}
