import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { checkLogin } from '../../access/login.ts'
import { loginNameLength } from '../../access/names.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import { accountOfSession, type ConfirmedSession, closeSession, openSession } from '../../access/sessions.ts'
import { roles } from '../../farm/people/roles.ts'
import { valueInQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import type { Account } from '../../storage/access/account-rows.ts'
import { countMatches } from '../../storage/records/finding.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type FormFields, readForm } from '../http/body.ts'
import { sessionCookie, sessionCookieOf, visitorOf } from '../http/caller.ts'
import { type Html, html, worded } from '../http/html.ts'
import {
  arrayOf,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  form,
  inBody,
  operation,
  refusedOften,
  responseRef,
  schemaRef,
  text,
} from '../http/openapi.ts'
import { baseAddressOf, clientAddressOf, requireSameSite } from '../http/origin.ts'
import { type LoginForm, loginForm, sendPage } from '../http/page.ts'

/** The default destination after a login. Both answer 200, also to a repeated POST of the login form. */
export const firstPlace = ({ settings }: Installation): string => (settings.app ? '/app/' : '/account')

export function addLogin(scope: FastifyInstance, installation: Installation): void {
  scope.get('/user/login', async (request, reply) => {
    const destination = localDestination(valueInQuery(request.url, 'destination'))
    if (await hasSession(request, installation))
      return goTo(request, reply, { installation, path: destination ?? firstPlace(installation) })
    return sendLoginPage(request, reply, { installation, form: { destination } })
  })

  scope.post('/user/login', async (request, reply) => {
    requireSameSite(request, installation)
    return logIn(request, reply, installation)
  })
}

const loginSchema = completeObject({
  current_user: completeObject({ uid: text, name: text, roles: arrayOf(text) }),
  csrf_token: text,
  logout_token: text,
})

const typedForm = form({ name: text, pass: { type: 'string', format: 'password' }, form_id: { const: 'user_login' } }, [
  'name',
  'pass',
])

export const loginDescription: DoorDescription = {
  paths: {
    '/user/login': {
      get: operation({
        id: 'showLogin',
        summary: 'The login form',
        tag: 'access',
        responses: {
          '200': responseRef('Page'),
          '302': responseRef('Redirect'),
          ...refusedOften,
          '403': responseRef('RefusedPage'),
        },
        security: [],
      }),
      post: operation({
        id: 'logIn',
        summary:
          'Begin a session: 302 with a cookie, or 200 with the form again; with _format=json 200 and who it is, or 400',
        tag: 'access',
        parameters: [{ name: '_format', in: 'query', schema: { const: 'json' } }],
        body: inBody(typedForm),
        responses: {
          '200': {
            description: 'The form again; or, with _format=json, who has logged in',
            content: { 'text/html': { schema: text }, 'application/json': { schema: schemaRef('Login') } },
          },
          '302': responseRef('Redirect'),
          '429': responseRef('RefusedPage'),
          ...refusedOften,
        },
        security: [],
      }),
    },
  },
  schemas: { Login: loginSchema },
}

/** A path of this server and nothing else, or null (RFC 9700 section 4.11: no open redirector). */
function localDestination(given: string | undefined): string | null {
  if (given === undefined || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(given)) return null
  const here = 'http://here.invalid'
  if (!URL.canParse(given, here)) return null
  const { origin, pathname, search } = new URL(given, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : null
}

async function logIn(request: FastifyRequest, reply: FastifyReply, installation: Installation): Promise<FastifyReply> {
  const form = readForm(request)
  if (form.repeated.size > 0) throw new Refusal('bad-request', 'A field of the form came more than once.')
  if (asksForJson(request)) return logInForJson(request, reply, { installation, form })
  const fromQuery = valueInQuery(request.url, 'destination')
  const destination = localDestination(form.values.get('destination') ?? fromQuery)
  const name = form.values.get('name') ?? ''
  const shown = { destination, name: name.slice(0, loginNameLength) }
  const proven = await provenBy(form, request, installation)
  const { language, say } = await request.server.wordsFor(request)
  if (proven instanceof Refusal) {
    const seconds = proven.details.retryAfterSeconds ?? 1
    reply.header('retry-after', String(seconds))
    const message = language === 'en' ? proven.message : say('login.too-many', { seconds })
    return sendLoginPage(request, reply, { installation, form: { ...shown, message }, status: 429 })
  }
  const isIn = proven !== null && (await startSession(request, reply, { installation, proven })) !== null
  if (!isIn) return sendLoginPage(request, reply, { installation, form: { ...shown, message: say('login.wrong') } })
  return goTo(request, reply, { installation, path: destination ?? firstPlace(installation) })
}

/** Null if name and password do not match; the refusal after too many attempts. */
async function provenBy(
  { values }: FormFields,
  request: FastifyRequest,
  installation: Installation,
): Promise<ConfirmedSession | Refusal | null> {
  const typed = { name: values.get('name') ?? '', password: values.get('pass') ?? '' }
  try {
    return await checkLogin(installation, { ...typed, ...visitorOf(request, installation) })
  } catch (error) {
    if (error instanceof Refusal && error.refusal === 'too-many-requests') return error
    throw error
  }
}

export async function hasSession(request: FastifyRequest, installation: Installation): Promise<boolean> {
  const session = sessionCookieOf(request, installation)
  return session !== undefined && (await accountOfSession(installation, session)) !== undefined
}

export function goTo(
  request: FastifyRequest,
  reply: FastifyReply,
  to: { installation: Installation; path: string },
): FastifyReply {
  return reply
    .code(302)
    .headers({ location: baseAddressOf(request, to.installation) + to.path, 'cache-control': 'no-store' })
    .send()
}

interface LoginPageContent {
  readonly installation: Installation
  readonly form: LoginForm
  readonly status?: number
}

async function sendLoginPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, form, status = 200 }: LoginPageContent,
): Promise<FastifyReply> {
  const words = await request.server.wordsFor(request)
  const title = words.say('page.log-in')
  const typed = loginForm({ ...form, language: valueInQuery(request.url, 'language') }, words)
  const { name } = await installation.database.read(readFarmSettings)
  const hint = worded(words.say('front.new-here'), { links: ['/docs'] })
  const main = html`<p><strong>${name}</strong></p>
${typed}${(await isToShow(installation)) ? demoLink(words) : null}
<p class="soft">${hint}</p>`
  return sendPage(reply, { title, main, status, words, ...formTargetOf(form) })
}

/** CSP form-action must allow the application's redirect, because browsers apply it to redirects after a POST. */
function formTargetOf({ destination }: LoginForm): { formTarget?: string } {
  const query = new URLSearchParams(destination?.split('?')[1])
  const formTarget = query.get('redirect_uri')
  return formTarget === null ? {} : { formTarget }
}

/** Clients of /api request JSON; people send the form. */
const asksForJson = (request: FastifyRequest): boolean => valueInQuery(request.url, '_format') === 'json'

/** Answers with the user, the CSRF token and the logout token. */
async function logInForJson(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, form }: { readonly installation: Installation; readonly form: FormFields },
): Promise<FastifyReply> {
  const typed = { name: requiredIn(form, 'name'), password: requiredIn(form, 'pass') }
  const account = await checkLogin(installation, { ...typed, ...visitorOf(request, installation) })
  const session = account && (await startSession(request, reply, { installation, proven: account }))
  if (!account || session === null) {
    throw new Refusal('wrong-password', 'Nobody here has this user name with this password.')
  }
  const token = await csrfTokenFor(installation.database, session)
  // One token is enough: once it has been in the address of a logout, there is no session that it is good for.
  const answer: DocumentOf<typeof loginSchema> = {
    current_user: currentUser(account),
    csrf_token: token,
    logout_token: token,
  }
  return reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(answer))
}

function requiredIn({ values }: FormFields, name: string): string {
  const value = values.get(name)
  if (value) return value
  throw new Refusal('bad-request', `"${name}" is missing: a login takes {"name": "…", "pass": "…"}.`)
}

const currentUser = ({ uid, name, role }: Account) => ({
  uid: String(uid),
  name,
  roles: ['authenticated', ...(role === null ? [] : [roles[role].newer])],
})

interface SessionStart {
  readonly installation: Installation
  readonly proven: ConfirmedSession
}

/**
 * Opens a new session and returns its value; the browser's previous session ends. Null if the password changed
 * meanwhile.
 */
export async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, proven }: SessionStart,
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

/** A link to the demo farm, which sends and stores nothing here. */
export const demoLink = ({ say }: PageWords): Html => html`
<h2>${say('demo.title')}</h2>
<p><a href="/app/?demo=1">${say('demo.open')}</a></p>
<p class="soft">${say('demo.about')}</p>`

/** Not shown once the farm has records of its own. */
async function isToShow({ database, settings }: Installation): Promise<boolean> {
  if (!settings.app) return false
  return database.read(async (snapshot) => {
    const counts = await Promise.all(
      (['log', 'asset'] as const).map((type) => countMatches(snapshot, { type, conditions: [], order: [] })),
    )
    return counts.every((count) => count === 0)
  })
}
