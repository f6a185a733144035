import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { replacePassword } from '../../access/accounts.ts'
import { listApplications, revokeApplication } from '../../access/applications.ts'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { checkLogin } from '../../access/login.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import { endOtherSessions, endSession, listSessions } from '../../access/sessions.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Form, readForm } from '../http/body.ts'
import { callerOf, callerOfForm } from '../http/caller.ts'
import { type Html, html } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { sendPage } from '../http/page.ts'
import { requireSameSite } from '../http/same-site.ts'
import { visitorOf } from '../http/visitor.ts'
import { worded } from '../http/worded.ts'
import { accountPage } from './account-page.ts'
import { goTo, hasSession } from './login.ts'
import { typedTwice } from './typed-twice.ts'

/** Where a user sees and ends what acts in their name. */
export function addAccountPage(scope: FastifyInstance, installation: Installation): void {
  scope.get('/account', async (request, reply) => {
    if (prefersHtml(request) && !(await hasSession(request, installation))) {
      return goTo(request, reply, { installation, path: '/user/login?destination=%2Faccount' })
    }
    const done = valueInQuery(request.url, 'done')
    const caller = await callerOf(request, installation)
    return sendAccountPage(request, reply, { installation, caller, done })
  })

  // One client posts its login form again to wherever the login sends it, and wants a 200: nothing is done with it.
  scope.post('/account', async (request, reply) => {
    if (!(await hasSession(request, installation))) return goTo(request, reply, { installation, path: '/user/login' })
    const words = await request.server.wordsFor(request)
    return sendPage(reply, { title: words.say('account.title'), main: accountPage.pointer(words), words })
  })

  addAction(scope, '/account/applications', {
    installation,
    act: ({ uid }, { values }) => revokeApplication(installation, uid, values.get('client') ?? ''),
  })
  addAction(scope, '/account/sessions', {
    installation,
    act: (caller, { values }) => {
      const session = values.get('session')
      return session === undefined
        ? endOtherSessions(installation, caller.uid, caller.bond)
        : endSession(installation, caller.uid, session)
    },
  })
  addAction(scope, '/account/password', {
    installation,
    act: (caller, form, request) => changePassword(request, installation, { caller, form }),
    done: 'password',
  })
}

/** What the page says after something was done. */
function newsOf(done: string | undefined, { say }: PageWords): Html | null {
  if (done === 'password') return html`${say('account.password-changed')}`
  return done === 'setup' ? worded(say('account.set-up'), { links: ['/'] }) : null
}

interface Action {
  readonly installation: Installation
  /** The word under which the page tells of it. */
  readonly done?: string
  act(caller: IdentifiedCaller, form: Form, request: FastifyRequest): Promise<void>
}

function addAction(scope: FastifyInstance, path: string, { installation, act, done }: Action): void {
  scope.post(path, async (request, reply) => {
    requireSameSite(request, installation)
    const form = readForm(request)
    const caller = await callerOfForm(request, installation, form.values.get('csrf'))
    requireRight(caller, 'own-account')
    try {
      await act(caller, form, request)
    } catch (error) {
      if (!(error instanceof Refusal) || error.refusal !== 'invalid-content') throw error
      return sendAccountPage(request, reply, { installation, caller, message: error.message })
    }
    return goTo(request, reply, { installation, path: done === undefined ? '/account' : `/account?done=${done}` })
  })
}

interface PasswordChange {
  readonly caller: IdentifiedCaller
  readonly form: Form
}

async function changePassword(
  request: FastifyRequest,
  installation: Installation,
  { caller, form }: PasswordChange,
): Promise<void> {
  const old = form.values.get('old') ?? ''
  const account = await checkLogin(installation, {
    name: caller.name,
    password: old,
    ...visitorOf(request, installation),
  })
  const words = await request.server.wordsFor(request)
  if (account?.uid !== caller.uid) throw new Refusal('invalid-content', words.say('account.other-present'))
  const password = typedTwice(form.values, 'new', words)
  await replacePassword(installation, caller.uid, { password, session: caller.bond })
}

interface Shown {
  readonly installation: Installation
  readonly caller: IdentifiedCaller
  readonly message?: string
  /** What was done, by its word. */
  readonly done?: string | undefined
}

async function sendAccountPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, caller, message, done }: Shown,
): Promise<FastifyReply> {
  requireRight(caller, 'own-account')
  const words = await request.server.wordsFor(request)
  const main = accountPage.whole({
    caller,
    csrfToken: await csrfTokenFor(installation.database, caller.bond),
    applications: await listApplications(installation, caller.uid),
    sessions: await listSessions(installation, caller.uid),
    scopes: installation.farm.scopes,
    hasApp: installation.settings.app,
    message: message ?? null,
    news: newsOf(done, words),
    words,
  })
  return sendPage(reply, { title: words.say('account.title'), main, status: message === undefined ? 200 : 422, words })
}
