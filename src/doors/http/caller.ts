import type { FastifyRequest } from 'fastify'
import type { Credentials, Identified } from '../../access/credentials.ts'
import { identify } from '../../access/identify.ts'
import type { House } from './house.ts'
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
export async function callerOf(request: FastifyRequest, house: House): Promise<Identified> {
  return identifiedBy(request, house, credentialsOf(request, house))
}

/** Likewise for a page's form, which carries the CSRF token in a field. */
export async function callerOfForm(
  request: FastifyRequest,
  house: House,
  csrfToken: string | undefined,
): Promise<Identified> {
  const credentials = credentialsOf(request, house)
  return identifiedBy(request, house, { ...credentials, csrfToken: csrfToken ?? credentials.csrfToken })
}

async function identifiedBy(request: FastifyRequest, house: House, credentials: Credentials): Promise<Identified> {
  const caller = await identify(house, credentials)
  request.uid = caller.uid
  if (caller.carrier === 'basic' && caller.bond !== credentials.cookie) request.openedSession = caller.bond
  return caller
}

function credentialsOf(request: FastifyRequest, house: House): Credentials {
  const authorization = authorizationOf(request)
  const csrfToken = request.headers['x-csrf-token']
  return {
    authorization,
    cookie: /^bearer/i.test(authorization ?? '') ? undefined : sessionCookieOf(request, house),
    csrfToken: typeof csrfToken === 'string' ? csrfToken : undefined,
    method: request.method,
    ...visitorOf(request, house),
    agent: request.headers['user-agent'] ?? '',
  }
}

export function authorizationOf(request: FastifyRequest): string | undefined {
  refuseRepeated(request, 'Authorization')
  return request.headers.authorization
}
