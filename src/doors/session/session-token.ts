import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import type { Installation } from '../../access/installation.ts'
import { callerOf } from '../http/caller.ts'

/** Spec 5.1: the CSRF token as plain text, to a session and also to a bearer, as existing clients ask for it. */
export function addSessionToken(scope: FastifyInstance, installation: Installation): void {
  for (const path of new Set([`/${installation.settings.restModule}/session/token`, '/session/token'])) {
    scope.get(path, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'enter')
      const token = await csrfTokenFor(installation.database, caller.bond)
      return reply.headers({ 'content-type': 'text/plain;charset=UTF-8', 'cache-control': 'no-store' }).send(token)
    })
  }
}
