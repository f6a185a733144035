import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { replacePassword } from '../../access/accounts.ts'
import { type GrantedApplication, listApplications, revokeApplication } from '../../access/applications.ts'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { checkLogin } from '../../access/login.ts'
import { passwordBytes } from '../../access/passwords.ts'
import { csrfTokenFor, hashOf } from '../../access/secrets.ts'
import { endOtherSessions, endSession, listSessions } from '../../access/sessions.ts'
import { roles } from '../../farm/people/roles.ts'
import type { Scope } from '../../farm/people/scopes.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type FormFields, readForm } from '../http/body.ts'
import { callerOf, callerOfForm, visitorOf } from '../http/caller.ts'
import { type Html, html, worded } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { requireSameSite } from '../http/origin.ts'
import { sendPage } from '../http/page.ts'
import { deviceOf } from '../http/user-agent.ts'
import { goTo, hasSession } from './login.ts'

/** The account page: the user's sessions and applications, with ways to end them. */
export function addAccountPage(scope: FastifyInstance, installation: Installation): void {
  scope.get('/account', async (request, reply) => {
    if (prefersHtml(request) && !(await hasSession(request, installation))) {
      return goTo(request, reply, { installation, path: '/user/login?destination=%2Faccount' })
    }
    const done = valueInQuery(request.url, 'done')
    const caller = await callerOf(request, installation)
    return sendAccountPage(request, reply, { installation, caller, done })
  })

  // One client repeats the POST of its login form at the redirect target and expects 200. The body is ignored.
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

/** The page's message after an action. */
function newsOf(done: string | undefined, { say }: PageWords): Html | null {
  if (done === 'password') return html`${say('account.password-changed')}`
  return done === 'setup' ? worded(say('account.set-up'), { links: ['/'] }) : null
}

interface Action {
  readonly installation: Installation
  /** The key of the page's message. */
  readonly done?: string
  act(caller: IdentifiedCaller, form: FormFields, request: FastifyRequest): Promise<void>
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
  readonly form: FormFields
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

interface AccountPageContent {
  readonly installation: Installation
  readonly caller: IdentifiedCaller
  readonly message?: string
  /** The key of the completed action. */
  readonly done?: string | undefined
}

async function sendAccountPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, caller, message, done }: AccountPageContent,
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

type Session = Awaited<ReturnType<typeof listSessions>>[number]

interface AccountPage {
  readonly caller: IdentifiedCaller
  readonly csrfToken: string
  readonly applications: readonly GrantedApplication[]
  readonly sessions: readonly Session[]
  readonly scopes: readonly Scope[]
  /** With the app, logging out also clears its local data. */
  readonly hasApp: boolean
  /** The fault in the form. */
  readonly message: string | null
  /** The message after an action. */
  readonly news: Html | null
  readonly words: PageWords
}

const pointer = ({ say }: PageWords): Html => html`<p>${worded(say('account.pointer'), { links: ['/account'] })}</p>`

function whole(page: AccountPage): Html {
  const { caller, hasApp, message, news, words } = page
  const { say, labels } = words
  const waysOn = hasApp
    ? html`<a class="button" href="/app/">${say('account.to-farm')}</a> <a class="button quiet" href="/app/log-out">${say('page.log-out')}</a>`
    : html`<a class="button quiet" href="/user/logout">${say('page.log-out')}</a>`
  const name = html`<strong>${caller.name}</strong>`
  const you =
    caller.role === null
      ? worded(say('account.you-without-role'), { values: { name } })
      : worded(say('account.you'), {
          values: { name, role: labels?.roles[caller.role] ?? roles[caller.role].label },
        })
  return html`<p>${you}</p>
${message === null ? null : html`<p class="alert" role="alert">${message}</p>`}
${news === null ? null : html`<p role="status">${news}</p>`}
<p>${waysOn}</p>
<h2>${say('account.applications')}</h2>
${applicationList(page)}
<h2>${say('account.sessions')}</h2>
${sessionList(page)}
<h2>${say('account.password')}</h2>
${passwordForm(page)}`
}

function applicationList({ applications, csrfToken, scopes, words }: AccountPage): Html {
  const { say } = words
  if (applications.length === 0) return html`<p>${say('account.no-application')}</p>`
  return html`<ul class="rows">${applications.map(
    ({ client, label, scopes: granted, since }) => html`<li>
<div>
<p><strong>${label}</strong></p>
<p class="soft">${say('account.since', { day: day(since), what: allowed(granted, scopes, words) })}</p>
</div>
<form method="post" action="/account/applications">
${csrfField(csrfToken)}
<button class="quiet" type="submit" name="client" value="${client}" aria-label="${say('account.revoke-named', { name: label })}">${say('account.revoke')}</button>
</form>
</li>`,
  )}</ul>`
}

function allowed(granted: readonly string[], scopes: readonly Scope[], { say, labels }: PageWords): string {
  if (granted.length === 0) return say('account.nothing-covered')
  const labelOf = (name: string) => labels?.scopes[name] ?? scopes.find((scope) => scope.name === name)?.label ?? name
  return granted.map(labelOf).join('; ')
}

function sessionList({ sessions, csrfToken, caller, words }: AccountPage): Html {
  const { say } = words
  const own = hashOf(caller.bond)
  const rows = sessions.map(({ hash, agent, address, created }) => {
    const end = html`<form method="post" action="/account/sessions">
${csrfField(csrfToken)}
<button class="quiet" type="submit" name="session" value="${hash}" aria-label="${say('account.end-named', { day: day(created), address })}">${say('account.end')}</button>
</form>`
    return html`<li>
<div>
<p>${deviceOf(agent, words)}</p>
<p class="soft">${say('account.since-from', { day: day(created), address })}</p>
</div>
${hash === own ? html`<p><strong>${say('account.this-one')}</strong></p>` : end}
</li>`
  })
  const others = html`<form method="post" action="/account/sessions">
${csrfField(csrfToken)}
<button class="quiet" type="submit">${say('account.end-others')}</button>
</form>`
  return html`<ul class="rows">${rows}</ul>
${sessions.length > 1 ? others : null}`
}

function passwordForm({ csrfToken, words: { say } }: AccountPage): Html {
  return html`<p class="soft">${say('account.password-about')}</p>
<form method="post" action="/account/password">
${csrfField(csrfToken)}
<label for="old">${say('account.present')}</label>
<input id="old" name="old" type="password" autocomplete="current-password" required>
<label for="new">${say('account.new')}</label>
<input id="new" name="new" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" required>
<label for="again">${say('account.again')}</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" required>
<button type="submit">${say('account.change')}</button>
</form>`
}

function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}">`
}

function day(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const accountPage = { whole, pointer }

/** A new password is typed twice, because a typo in hidden text would lock its owner out. */
export function typedTwice(values: ReadonlyMap<string, string>, name: string, { say }: PageWords): string {
  const password = values.get(name) ?? ''
  if (values.get('again') !== password) throw new Refusal('invalid-content', say('account.two-passwords'))
  return password
}
