import type { FastifyRequest } from 'fastify'
import type { Credentials, IdentifiedCaller } from '../../access/credentials.ts'
import { identify } from '../../access/identify.ts'
import type { Installation } from '../../access/installation.ts'
import { refuseRepeated } from './repeated-headers.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { visitorOf } from './visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A session that HTTP Basic opened and that the answer is to hand over. */
    openedSession: string | null
  }
}

/** Who is asking. Refuses where nobody is named, or somebody without proof. */
export async function callerOf(request: FastifyRequest, installation: Installation): Promise<IdentifiedCaller> {
  return identifiedBy(request, installation, credentialsOf(request, installation))
}

/** Likewise for a page's form, which carries the CSRF token in a field. */
export async function callerOfForm(
  request: FastifyRequest,
  installation: Installation,
  csrfToken: string | undefined,
): Promise<IdentifiedCaller> {
  const credentials = credentialsOf(request, installation)
  return identifiedBy(request, installation, { ...credentials, csrfToken: csrfToken ?? credentials.csrfToken })
}

async function identifiedBy(
  request: FastifyRequest,
  installation: Installation,
  credentials: Credentials,
): Promise<IdentifiedCaller> {
  const caller = await identify(installation, credentials)
  request.uid = caller.uid
  if (caller.carrier === 'basic' && caller.bond !== credentials.cookie) request.openedSession = caller.bond
  return caller
}

function credentialsOf(request: FastifyRequest, installation: Installation): Credentials {
  const authorization = authorizationOf(request)
  const csrfToken = request.headers['x-csrf-token']
  return {
    authorization,
    cookie: /^bearer/i.test(authorization ?? '') ? undefined : sessionCookieOf(request, installation),
    csrfToken: typeof csrfToken === 'string' ? csrfToken : undefined,
    method: request.method,
    ...visitorOf(request, installation),
    agent: request.headers['user-agent'] ?? '',
  }
}

export function authorizationOf(request: FastifyRequest): string | undefined {
  refuseRepeated(request, 'Authorization')
  return request.headers.authorization
}
