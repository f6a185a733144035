import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { acceptInvitation, acceptPasswordLink } from '../../access/invitations.ts'
import { nameLength } from '../../access/names.ts'
import { passwordBytes } from '../../access/passwords.ts'
import type { ConfirmedSession } from '../../access/sessions.ts'
import { Refusal } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { readForm } from '../http/body.ts'
import { visitorOf } from '../http/caller.ts'
import { type Html, html } from '../http/html.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  form,
  inBody,
  operation,
  refusedOften,
  responseRef,
  type Schema,
  text,
} from '../http/openapi.ts'
import { requireSameSite } from '../http/origin.ts'
import { sendPage } from '../http/page.ts'
import { firstPlace, startSession } from './login.ts'

const scriptAddress = '/furrow-link.js'

/**
 * Targets of links that managers make. The page is the same for everyone and reads nothing, so that link previews do
 * not use up a key. Only the POST counts.
 */
export function addLinkPages(scope: FastifyInstance, installation: Installation): void {
  scope.get('/invitation', async (request, reply) => {
    const words = await request.server.wordsFor(request)
    const title = words.say('link.invited')
    return sendPage(reply, { title, main: invitationForm(words), script: scriptAddress, words })
  })
  scope.get('/new-password', async (request, reply) => {
    const words = await request.server.wordsFor(request)
    const title = words.say('link.new-password')
    return sendPage(reply, { title, main: passwordForm(words), script: scriptAddress, words })
  })
  scope.get(scriptAddress, (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(linkScript),
  )
  addKeyed(scope, '/invitation.json', {
    installation,
    accept: (given) => acceptInvitation(installation, { ...given, name: given.name ?? '' }),
  })
  addKeyed(scope, '/new-password.json', {
    installation,
    accept: (given) => acceptPasswordLink(installation, given),
  })
}

const wayOnSchema = completeObject({ go_on: text })

const page = (id: string, summary: string): Schema =>
  operation({
    id,
    summary,
    tag: 'access',
    responses: { '200': responseRef('Page'), ...refusedOften, '403': responseRef('RefusedPage') },
    security: [],
  })

const keyed = (id: string, summary: string, more: Readonly<Record<string, Schema>>): Schema =>
  operation({
    id,
    summary,
    tag: 'access',
    body: inBody(form({ key: text, password: { type: 'string', format: 'password' }, ...more }, ['key', 'password'])),
    responses: {
      '200': answer('Done; a session has begun, and this is where a person goes on', 'json', wayOnSchema),
      ...refusedOften,
      '404': responseRef('NotFound'),
      '409': responseRef('Conflict'),
      '422': responseRef('Invalid'),
    },
    security: [],
  })

/** The key is after the # of the address. */
export const linkPagesDescription: DoorDescription = {
  paths: {
    '/invitation': { get: page('showInvitation', 'The form of whoever was invited; it is the same for everybody') },
    '/invitation.json': {
      post: keyed('acceptInvitation', 'Make the account that an invitation gives, and log in', {
        name: text,
        language: text,
      }),
    },
    '/new-password': { get: page('showNewPassword', 'The form of whoever was sent a link to a new password') },
    '/new-password.json': {
      post: keyed('acceptPasswordLink', 'Set a new password; every session and token of the account ends', {}),
    },
  },
}

interface LinkFormFields extends ReturnType<typeof visitorOf> {
  readonly key: string
  readonly password: string
  readonly name?: string | undefined
  readonly language?: string | undefined
}

interface KeyedRoute {
  readonly installation: Installation
  readonly accept: (given: LinkFormFields) => Promise<ConfirmedSession>
}

/** The user is logged in at once after using a key. */
function addKeyed(scope: FastifyInstance, path: string, { installation, accept }: KeyedRoute): void {
  scope.post(path, async (request, reply) => {
    requireSameSite(request, installation)
    const proven = await accept(linkFormFieldsOf(request, installation))
    if ((await startSession(request, reply, { installation, proven })) === null)
      throw new Refusal('unauthenticated', 'This account was changed, blocked or removed at this moment.')
    return sendWayOn(reply, firstPlace(installation))
  })
}

function linkFormFieldsOf(request: FastifyRequest, installation: Installation): LinkFormFields {
  const { values, repeated } = readForm(request)
  if (repeated.size > 0) throw new Refusal('bad-request', 'A field of the form came more than once.')
  return {
    key: values.get('key') ?? '',
    password: values.get('password') ?? '',
    name: values.get('name'),
    language: values.get('language'),
    ...visitorOf(request, installation),
  }
}

function sendWayOn(reply: FastifyReply, path: string): FastifyReply {
  const wayOn: DocumentOf<typeof wayOnSchema> = { go_on: path }
  return reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(wayOn))
}

const choosePassword = ({ say }: PageWords): Html => html`<label for="password">${say('setup.password')}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" aria-describedby="password-hint" required>
<p class="soft" id="password-hint">${say('setup.password-hint', { least: passwordBytes.least })}</p>
<label for="again">${say('setup.again')}</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" aria-describedby="again-fault" required>
<p class="alert" id="again-fault" role="alert" hidden></p>`

interface LinkForm {
  readonly to: string
  readonly about: string
  readonly fields: Html
  readonly button: string
}

const linkForm = ({ say, language }: PageWords, { to, about, fields, button }: LinkForm): Html => html`<p>${about}</p>
<noscript><p class="alert">${say('link.no-script')}</p></noscript>
<p class="alert" id="fault" role="alert" hidden></p>
<form data-to="${to}" data-differ="${say('link.differ')}" data-offline="${say('link.offline')}" data-incomplete="${say('link.incomplete')}" hidden>
${to === '/invitation.json' ? html`<input type="hidden" name="language" value="${language}">` : null}
${fields}
<button type="submit">${button}</button>
</form>`

const invitationForm = (words: PageWords): Html =>
  linkForm(words, {
    to: '/invitation.json',
    about: words.say('link.invited-about'),
    fields: html`<label for="name">${words.say('setup.name')}</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="${nameLength}" required>
${choosePassword(words)}`,
    button: words.say('setup.begin'),
  })

const passwordForm = (words: PageWords): Html =>
  linkForm(words, {
    to: '/new-password.json',
    about: words.say('link.new-password-about'),
    fields: choosePassword(words),
    button: words.say('link.set-password'),
  })

/**
 * The script of /invitation and /new-password: only a script can read the key from the fragment. It sends the key with
 * the form; the answer says if it was valid.
 */
const linkScript = `'use strict'
const form = document.querySelector('form')
const fault = document.querySelector('#fault')
const differ = document.querySelector('#again-fault')
const key = location.hash.slice(1)

function tell(message, at = fault) {
  at.textContent = message
  at.hidden = false
}

function tellThatPasswordsDiffer() {
  tell(form.dataset.differ, differ)
  form.elements.again.setAttribute('aria-invalid', 'true')
  form.elements.again.focus()
}

async function send() {
  const { again, ...typed } = Object.fromEntries(new FormData(form))
  if (again !== typed.password) return tellThatPasswordsDiffer()
  let answer
  try {
    answer = await fetch(form.dataset.to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ key, ...typed }),
    })
  } catch {
    return tell(form.dataset.offline)
  }
  const body = await answer.json().catch(() => ({}))
  if (answer.ok) return location.replace(body.go_on)
  if (answer.status === 404) form.hidden = true
  tell(body.detail || form.dataset.offline)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  fault.hidden = differ.hidden = true
  form.elements.again.removeAttribute('aria-invalid')
  const button = form.querySelector('button')
  button.disabled = true
  await send()
  button.disabled = false
})

if (key === '') tell(form.dataset.incomplete)
else form.hidden = false
`
