import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { closeSession } from '../../access/sessions.ts'
import type { PageWords } from '../../words/page-words.ts'
import { authorizationOf, callerOf, callerOfForm } from '../http/caller.ts'
import { type Html, html } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { sendPage } from '../http/page.ts'
import { valueInQuery } from '../http/query.ts'
import { requireSameSite } from '../http/same-site.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import { goTo, hasSession } from './login.ts'

/** A plain GET, as existing clients send it; a HEAD must not end anything. */
export function addLogout(scope: FastifyInstance, installation: Installation): void {
  scope.get('/user/logout', { exposeHeadRoute: false }, async (request, reply) => {
    requireSameSite(request, installation)
    if (prefersHtml(request) && authorizationOf(request) === undefined && !(await hasSession(request, installation))) {
      const words = await request.server.wordsFor(request)
      return sendPage(reply, { title: words.say('logout.title'), main: nobodyHere(words), words })
    }
    await logOut(reply, installation, await callerOf(request, installation))
    return goTo(request, reply, { installation, path: '/user/login' })
  })

  // As programs of the newer generation log out: with the token that the login gave, in the query.
  scope.post('/user/logout', async (request, reply) => {
    requireSameSite(request, installation)
    const token = valueInQuery(request.url, 'token')
    await logOut(reply, installation, await callerOfForm(request, installation, token))
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

async function logOut(reply: FastifyReply, installation: Installation, caller: IdentifiedCaller): Promise<void> {
  requireRight(caller, 'enter')
  if (caller.carrier === 'bearer') return
  await closeSession(installation, caller.uid, caller.bond)
  reply.request.openedSession = null
  reply.header('set-cookie', sessionCookie(reply.request, installation, null))
}

const nobodyHere = ({ say }: PageWords): Html => html`<p>${say('logout.nobody')}</p>
<p><a class="button" href="/user/login">${say('page.log-in')}</a></p>`
