import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { closeSession } from '../../access/sessions.ts'
import { authorizationOf, callerOf } from '../http/caller.ts'
import { html } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { sendPage } from '../http/page.ts'
import { requireSameSite } from '../http/same-site.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import { goTo, hasSession } from './login.ts'

/** A plain GET, as existing clients send it; a HEAD must not end anything. */
export function addLogout(scope: FastifyInstance, installation: Installation): void {
  scope.get('/user/logout', { exposeHeadRoute: false }, async (request, reply) => {
    requireSameSite(request, installation)
    if (prefersHtml(request) && authorizationOf(request) === undefined && !(await hasSession(request, installation))) {
      return sendPage(reply, { title: 'You are logged out', main: nobodyHere })
    }
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    if (caller.carrier !== 'bearer') {
      await closeSession(installation, caller.uid, caller.bond)
      request.openedSession = null
      reply.header('set-cookie', sessionCookie(request, installation, null))
    }
    return goTo(request, reply, { installation, path: '/user/login' })
  })
}

const nobodyHere = html`<p>Nobody is logged in on this device: there is nothing left to end.</p>
<p><a class="button" href="/user/login">Log in</a></p>`
