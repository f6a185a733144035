import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { accountOfSession, type ConfirmedSession, closeSession, openSession } from '../../access/sessions.ts'
import { clientAddressOf } from '../http/base-address.ts'
import { sessionCookie, sessionCookieOf } from '../http/session-cookie.ts'

interface Entrance {
  readonly installation: Installation
  readonly proven: ConfirmedSession
}

/**
 * A new session under a new value, which it answers with; the one that the browser held before is over. Null where the password is no
 * longer that.
 */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, proven }: Entrance,
): Promise<string | null> {
  const before = sessionCookieOf(request, installation)
  const predecessor = before === undefined ? undefined : await accountOfSession(installation, before)
  if (before !== undefined && predecessor) await closeSession(installation, predecessor.uid, before)
  const agent = request.headers['user-agent'] ?? ''
  const address = clientAddressOf(request, installation)
  const value = await openSession(installation, proven, { agent, address, carrier: 'cookie' })
  if (value === null) return null
  request.uid = proven.uid
  reply.header('set-cookie', sessionCookie(request, installation, value))
  return value
}
