import type { FastifyRequest } from 'fastify'
import { callerWith } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import type { Asker } from '../../access/oauth/consent.ts'
import { accountOfSession } from '../../access/sessions.ts'
import { sessionCookieOf } from '../http/session-cookie.ts'

/** The person in front of the browser: only a session counts here, since a header cannot click. */
export async function askerOf(request: FastifyRequest, installation: Installation): Promise<Asker | null> {
  const session = sessionCookieOf(request, installation)
  const account = session === undefined ? undefined : await accountOfSession(installation, session)
  if (session === undefined || !account) return null
  request.uid = account.uid
  return { session, caller: callerWith(account, 'cookie') }
}
