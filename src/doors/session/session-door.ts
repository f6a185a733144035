import type { FastifyInstance, FastifyReply } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import { closeSession } from '../../access/sessions.ts'
import { isSetupOpen } from '../../access/setup-state.ts'
import type { ServerSettings } from '../../config.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import type { PageWords } from '../../words/page-words.ts'
import { authorizationOf, callerOf, callerOfForm, sendOpenedSessions, sessionCookie } from '../http/caller.ts'
import { type Html, html, worded } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import {
  answerAs,
  type DoorDescription,
  operation,
  type Paths,
  refusedOften,
  responseRef,
  text,
} from '../http/openapi.ts'
import type { ScriptAccess } from '../http/origin.ts'
import { requireSameSite } from '../http/origin.ts'
import { answerWithPage, sendPage } from '../http/page.ts'
import type { Door } from '../http/server.ts'
import { addAccountPage } from './account.ts'
import { addLinkPages, linkPagesDescription } from './link-pages.ts'
import { addLogin, goTo, hasSession, loginDescription } from './login.ts'
import { addSetup, setupScript, setupScriptPath } from './setup.ts'
import { stylesheet } from './stylesheet.ts'

/** Pages are for people. */
export const sessionScriptAccess: readonly ScriptAccess[] = [
  {
    paths: /^\/(?:$|(?:user\/(?:login|logout)|account|setup|invitation(?:\.json)?|new-password(?:\.json)?)(?:\/|$))/,
    openTo: 'nobody',
  },
]

/** Login and logout with a session (spec 5.1), the own account, and the first run. */
export const sessionDoor: Door = (app, installation) => {
  sendOpenedSessions(app, installation)
  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    addFrontPage(scope, installation)
    addLogin(scope, installation)
    addLogout(scope, installation)
    addSessionToken(scope, installation)
    addSetup(scope, installation)
    addAccountPage(scope, installation)
    addLinkPages(scope, installation)
  })
  app.get('/furrow.css', (_request, reply) => {
    reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(stylesheet)
  })
  app.get(setupScriptPath, (_request, reply) => {
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(setupScript)
  })
}

/** The same for programs. */
export const sessionDescriptions = ({ restModule }: ServerSettings): readonly DoorDescription[] => [
  { tags: [{ name: 'access', description: 'Logging in, and the OAuth 2.0 authorization server' }] },
  loginDescription,
  { paths: logoutPaths },
  linkPagesDescription,
  { paths: tokenPaths(restModule) },
]

/** Spec 5.1: the CSRF token as plain text, to a session and also to a bearer, as existing clients ask for it. */
function addSessionToken(scope: FastifyInstance, installation: Installation): void {
  for (const path of new Set([`/${installation.settings.restModule}/session/token`, '/session/token'])) {
    scope.get(path, async (request, reply) => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'enter')
      const token = await csrfTokenFor(installation.database, caller.bond)
      return reply.headers({ 'content-type': 'text/plain;charset=UTF-8', 'cache-control': 'no-store' }).send(token)
    })
  }
}

function tokenPaths(restModule: string): Paths {
  const token = (id: string) =>
    operation({
      id,
      summary: 'The CSRF token that writes with a session carry in X-CSRF-Token',
      tag: 'access',
      responses: { '200': answerAs('The token', 'text/plain', text), ...refusedOften },
    })
  return {
    [`/${restModule}/session/token`]: { get: token('readCsrfToken') },
    '/session/token': { get: token('readCsrfTokenByShortName') },
  }
}

/** A plain GET, as existing clients send it; a HEAD must not end anything. */
function addLogout(scope: FastifyInstance, installation: Installation): void {
  scope.get('/user/logout', { exposeHeadRoute: false }, async (request, reply) => {
    requireSameSite(request, installation)
    if (prefersHtml(request) && authorizationOf(request) === undefined && !(await hasSession(request, installation))) {
      const words = await request.server.wordsFor(request)
      return sendPage(reply, { title: words.say('logout.title'), main: nobodyHere(words), words })
    }
    await logOut(reply, installation, await callerOf(request, installation))
    return goTo(request, reply, { installation, path: '/user/login' })
  })

  // Logout of /api clients: with the token of the login, in the query.
  scope.post('/user/logout', async (request, reply) => {
    requireSameSite(request, installation)
    const token = valueInQuery(request.url, 'token')
    await logOut(reply, installation, await callerOfForm(request, installation, token))
    return reply.code(204).header('cache-control', 'no-store').send()
  })
}

const logoutPaths: Paths = {
  '/user/logout': {
    get: operation({
      id: 'logOut',
      summary: 'End the session; a browser that has none is shown a page',
      tag: 'access',
      responses: { '200': responseRef('Page'), '302': responseRef('Redirect'), ...refusedOften },
    }),
    post: operation({
      id: 'endSession',
      summary: 'End the session, as a program that has the logout token of its login',
      tag: 'access',
      parameters: [{ name: 'token', in: 'query', schema: text }],
      responses: { '204': { description: 'It is ended' }, ...refusedOften },
    }),
  },
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

/** Leads a person to the app or the login. Programs get a 404 that says where to begin. */
function addFrontPage(scope: FastifyInstance, installation: Installation): void {
  scope.get('/', async (request, reply) => {
    if (!prefersHtml(request)) throw new Refusal('not-found', forProgram)
    const isUser = await hasSession(request, installation)
    if (isUser && installation.settings.app) return goTo(request, reply, { installation, path: '/app/' })
    const { name } = await installation.database.read(readFarmSettings)
    const words = await request.server.wordsFor(request)
    if (await isSetupOpen(installation)) return sendPage(reply, { title: name, main: withoutAccount(words), words })
    if (!isUser) return goTo(request, reply, { installation, path: '/user/login' })
    return sendPage(reply, { title: name, main: forUser(words), words })
  })
}

const forProgram =
  'There is nothing at this address. The documentation is at /docs, and /farm.json says what this farm can record.'

const hints = ({ say }: PageWords): Html => html`<p>${worded(say('front.new-here'), { links: ['/docs'] })}</p>
<p class="soft">${worded(say('front.programs'), { links: ['/docs/integrate'] })}</p>`

const page = (words: PageWords, doors: Html): Html => html`<p>${words.say('front.kept')}</p>
${doors}
${hints(words)}`

const forUser = (words: PageWords): Html =>
  page(
    words,
    html`<p>${words.say('front.logged-in')}</p>
<p><a class="button" href="/account">${words.say('account.title')}</a> <a class="button quiet" href="/user/logout">${words.say('page.log-out')}</a></p>`,
  )

const command = html`<code>furrow user add NAME --role manager</code>`

const withoutAccount = (words: PageWords): Html =>
  page(words, html`<p>${worded(words.say('front.no-account'), { values: { command } })}</p>`)
