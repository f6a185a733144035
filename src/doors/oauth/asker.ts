import type { FastifyRequest } from 'fastify'
import { callerWith } from '../../access/caller.ts'
import type { Asker } from '../../access/oauth/consent.ts'
import { accountOfSession } from '../../access/sessions.ts'
import type { House } from '../http/house.ts'
import { sessionCookieOf } from '../http/session-cookie.ts'

/** The person in front of the browser: only a session counts here, since a header cannot click. */
export async function askerOf(request: FastifyRequest, house: House): Promise<Asker | null> {
  const session = sessionCookieOf(request, house)
  const account = session === undefined ? undefined : await accountOfSession(house, session)
  if (session === undefined || !account) return null
  request.uid = account.uid
  return { session, caller: callerWith(account, 'cookie') }
}
