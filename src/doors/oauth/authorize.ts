import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerWith } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { type AuthorizationRequest, readAuthorizationRequest } from '../../access/oauth/authorization-request.ts'
import { type Asker, askForConsent, type ConsentQuestion, decide } from '../../access/oauth/consent.ts'
import { RedirectedRefusal, type ReturnAddress } from '../../access/oauth/oauth-refusal.ts'
import type { OAuthParameters } from '../../access/oauth/parameters.ts'
import { csrfTokenFor, isCsrfToken } from '../../access/secrets.ts'
import { accountOfSession } from '../../access/sessions.ts'
import { readQuery } from '../../formats/query-string.ts'
import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { readForm } from '../http/body.ts'
import { sessionCookieOf } from '../http/caller.ts'
import { type Html, html, worded } from '../http/html.ts'
import { operation, type Paths, responseRef, text } from '../http/openapi.ts'
import { baseAddressOf, requireSameSite } from '../http/origin.ts'
import { loginForm, sendPage, sendRefusalPage } from '../http/page.ts'

/** RFC 6749 section 4.1.1: asks for consent of the user, who must be logged in with a session. */
export function addAuthorize(scope: FastifyInstance, path: string, installation: Installation): void {
  scope.register(async (pages) => {
    pages.setErrorHandler((thrown, request, reply) =>
      thrown instanceof RedirectedRefusal
        ? sendBack(reply, thrown.returnAddress, {
            error: thrown.error,
            error_description: thrown.message,
            iss: baseAddressOf(request, installation),
          })
        : sendRefusalPage(thrown, request, reply),
    )
    pages.get(path, async (request, reply) => askUser(request, reply, { installation, path }))
    pages.post(path, async (request, reply) => takeAnswer(request, reply, installation))
  })
}

const queryParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

export const authorizePaths = (path: string, id: string): Paths => ({
  [path]: {
    get: operation({
      id,
      summary: 'Ask the user, in a browser, to let a client in',
      tag: 'access',
      parameters: queryParameters.map((name) => ({ name, in: 'query', schema: text })),
      responses: { '200': responseRef('Page'), '302': responseRef('Redirect'), '4XX': responseRef('Page') },
      security: [],
    }),
  },
})

/** The person in front of the browser: only a session counts here, since a header cannot click. */
async function askerOf(request: FastifyRequest, installation: Installation): Promise<Asker | null> {
  const session = sessionCookieOf(request, installation)
  const account = session === undefined ? undefined : await accountOfSession(installation, session)
  if (session === undefined || !account) return null
  request.uid = account.uid
  return { session, caller: callerWith(account, 'cookie') }
}

async function askUser(
  request: FastifyRequest,
  reply: FastifyReply,
  { installation, path }: AuthorizeRoute,
): Promise<FastifyReply> {
  const asked = await readAuthorizationRequest(installation, queryOf(request))
  const asker = await askerOf(request, installation)
  if (asked.isSilent) throw cannotBeSilent(asked, asker)
  const formTarget = asked.returnAddress.redirectUri
  const words = await request.server.wordsFor(request)
  if (!asker) {
    const reason = words.say('login.wanted', { client: asked.client.label })
    const main = loginForm({ destination: request.url, reason }, words)
    return sendPage(reply, { title: words.say('page.log-in'), main, formTarget, words })
  }
  const question = await askForConsent(installation, asked, asker)
  const main = await consentPage({ installation, path, asked, asker, question, words })
  const title = words.say('consent.title', { client: asked.client.label })
  return sendPage(reply, { title, main, formTarget, words })
}

interface AuthorizeRoute {
  readonly installation: Installation
  readonly path: string
}

/** Every code needs a click, so prompt=none is refused. */
function cannotBeSilent({ returnAddress }: AuthorizationRequest, asker: Asker | null): RedirectedRefusal {
  return asker === null
    ? new RedirectedRefusal('login_required', 'The user is not logged in', returnAddress)
    : new RedirectedRefusal('consent_required', 'The user has to be asked', returnAddress)
}

const fields: readonly string[] = ['request', 'csrf', 'answer']

async function takeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  installation: Installation,
): Promise<FastifyReply> {
  requireSameSite(request, installation)
  const { values, repeated } = readForm(request)
  const asker = await askerOf(request, installation)
  if (!asker || !(await isCsrfToken(installation.database, asker.session, values.get('csrf')))) {
    throw new Refusal('csrf-failed', 'This answer did not come from the page that asked. Go back and start again.')
  }
  const answer = values.get('answer')
  const isForm = repeated.size === 0 && [...values.keys()].every((name) => fields.includes(name))
  if (!isForm || (answer !== 'approve' && answer !== 'deny')) {
    throw new Refusal('bad-request', 'This is not the form that the page had.')
  }
  const { code, returnAddress } = await decide(installation, { ...asker, id: values.get('request') ?? '', answer })
  return sendBack(reply, returnAddress, { code, iss: baseAddressOf(request, installation) })
}

function queryOf(request: FastifyRequest): OAuthParameters {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const { name, brackets, value } of readQuery(request.url)) {
    const whole = name + brackets.map((inside) => `[${inside}]`).join('')
    if (values.has(whole)) repeated.add(whole)
    else values.set(whole, value)
  }
  return { values, repeated }
}

/** Only by query (RFC 9700 section 2.1.2), and never with a status that makes browsers repeat the POST. */
function sendBack(reply: FastifyReply, to: ReturnAddress, answer: Readonly<Record<string, string>>): FastifyReply {
  const whole = to.state === null ? answer : { ...answer, state: to.state }
  const query = Object.entries(whole).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const location = to.redirectUri + (to.redirectUri.includes('?') ? '&' : '?') + query.join('&')
  return reply.code(302).headers({ location, 'cache-control': 'no-store' }).send()
}

interface ConsentPage {
  readonly installation: Installation
  readonly path: string
  readonly asked: AuthorizationRequest
  readonly asker: Asker
  readonly question: ConsentQuestion
  readonly words: PageWords
}

async function consentPage(page: ConsentPage): Promise<Html> {
  const { installation, path, asked, asker, question, words } = page
  const { say, labels } = words
  const { client, returnAddress } = asked
  const names = { client: html`<strong>${client.label}</strong>`, name: asker.caller.name }
  return html`<p>${worded(say('consent.asks'), { values: names })}</p>
<ul>${question.scopes.map(({ name, label }) => html`<li>${labels?.scopes[name] ?? label}</li>`)}</ul>
<p class="soft">${say('consent.afterwards', { place: placeOf(returnAddress.redirectUri, words) })}</p>
<form method="post" action="${path}">
<input type="hidden" name="request" value="${question.id}">
<input type="hidden" name="csrf" value="${await csrfTokenFor(installation.database, asker.session)}">
<button type="submit" name="answer" value="approve">${say('consent.yes')}</button>
<button class="quiet" type="submit" name="answer" value="deny">${say('consent.no')}</button>
</form>`
}

function placeOf(redirectUri: string, { say }: PageWords): string {
  const { host, protocol } = new URL(redirectUri)
  return host === '' ? say('consent.application-at', { scheme: protocol }) : host
}
