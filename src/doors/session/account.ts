import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountsByIds, replacePassword } from '../../access/accounts.ts'
import { listApplications, revokeApplication } from '../../access/applications.ts'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { checkLogin } from '../../access/login.ts'
import {
  endPersonalToken,
  listPersonalTokens,
  makePersonalToken,
  type PersonalTokenFault,
  personalTokenLimits,
  scopesForPersonalTokens,
} from '../../access/personal-tokens.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import {
  confirmSession,
  endOtherSessions,
  endSession,
  isSessionConfirmed,
  listSessions,
} from '../../access/sessions.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type FormFields, readForm } from '../http/body.ts'
import { callerOf, callerOfForm, visitorOf } from '../http/caller.ts'
import { type Html, html, worded } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { requireSameSite } from '../http/origin.ts'
import { sendPage } from '../http/page.ts'
import { accountPage, type NewPersonalToken, pointerToAccount } from './account-page.ts'
import { goTo, hasSession } from './login.ts'
import { faultAt, type PasswordFault, passwordFaultOf, typedTwice } from './password-fields.ts'

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
    return sendPage(reply, { title: words.say('account.title'), main: pointerToAccount(words), words })
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
  addPersonalTokens(scope, installation)
}

/** Personal tokens are made in a session only, after the password was shown; the answer shows the token, and nothing else ever does. */
function addPersonalTokens(scope: FastifyInstance, installation: Installation): void {
  scope.post('/account/tokens', async (request, reply) => {
    requireSameSite(request, installation)
    const { values } = readForm(request)
    const caller = await callerOfForm(request, installation, values.get('csrf'))
    requireRight(caller, 'own-account')
    if (caller.carrier !== 'cookie')
      throw new Refusal('forbidden', 'Personal tokens are made in a session, on the page /account.')
    const words = await request.server.wordsFor(request)
    const refuse = (message: string) =>
      sendAccountPage(request, reply, { installation, caller, fault: { field: '', message } })
    const password = values.get('password') ?? ''
    if (password !== '') {
      const shown = await checkLogin(installation, { name: caller.name, password, ...visitorOf(request, installation) })
      if (shown?.uid !== caller.uid) return refuse(words.say('account.other-present'))
      await confirmSession(installation, shown, caller.bond)
    }
    const name = (values.get('name') ?? '').trim()
    const given = { name, scope: values.get('scope') ?? '', days: values.get('days') ?? '' }
    const made = await makePersonalToken(installation, caller, given)
    if ('fault' in made) return refuse(faultInWords(made.fault, words))
    return sendAccountPage(request, reply, { installation, caller, made: { name, token: made.token } })
  })
  addAction(scope, '/account/tokens/end', {
    installation,
    act: ({ uid }, { values }) => endPersonalToken(installation, uid, values.get('token') ?? ''),
  })
}

function faultInWords(fault: PersonalTokenFault, { say }: PageWords): string {
  const { nameLength, days, most } = personalTokenLimits
  switch (fault) {
    case 'name':
      return say('account.token-name-fault', { most: nameLength })
    case 'scope':
      return say('account.token-scope-fault')
    case 'days':
      return say('account.token-days-fault', days)
    case 'most':
      return say('account.token-most', { most })
    case 'unconfirmed':
      return say('account.token-password')
    case 'disabled':
      return say('account.tokens-off')
  }
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
      return sendAccountPage(request, reply, { installation, caller, fault: passwordFaultOf(error) })
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
  if (account?.uid !== caller.uid) throw faultAt('old', words.say('account.other-present'))
  const password = typedTwice(form.values, 'new', words)
  await replacePassword(installation, caller.uid, { password, session: caller.bond })
}

interface AccountPageContent {
  readonly installation: Installation
  readonly caller: IdentifiedCaller
  readonly fault?: PasswordFault
  /** The key of the completed action. */
  readonly done?: string | undefined
  readonly made?: NewPersonalToken
}

async function sendAccountPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, caller, fault, done, made }: AccountPageContent,
): Promise<FastifyReply> {
  requireRight(caller, 'own-account')
  const words = await request.server.wordsFor(request)
  const main = accountPage({
    caller,
    csrfToken: await csrfTokenFor(installation.database, caller.bond),
    applications: await listApplications(installation, caller.uid),
    sessions: await listSessions(installation, caller.uid),
    tokens: await listPersonalTokens(installation, caller),
    scopes: installation.farm.scopes,
    scopesForTokens: scopesForPersonalTokens(installation, { role: caller.role, isService: false }),
    needsPassword: !(await isSessionConfirmed(installation, caller.bond)),
    made: made ?? null,
    hasApp: installation.settings.app,
    fault,
    momentOf: await momentsFor(installation, caller, words),
    news: newsOf(done, words),
    words,
  })
  return sendPage(reply, { title: words.say('account.title'), main, status: fault === undefined ? 200 : 422, words })
}

/** Times in the account's time zone. UTC is an account's first value; the farm's zone is then closer. */
async function momentsFor(
  { database }: Installation,
  { uid }: IdentifiedCaller,
  { language }: PageWords,
): Promise<(seconds: number) => string> {
  const [own, ofFarm] = await database.read(async (snapshot) => [
    (await accountsByIds(snapshot, [uid])).get(uid)?.timezone ?? 'UTC',
    (await readFarmSettings(snapshot)).timezone,
  ])
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: own === 'UTC' ? ofFarm : own,
  })
  return (seconds) => format.format(seconds * 1000)
}
