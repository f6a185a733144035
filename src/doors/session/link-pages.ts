import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { acceptInvitation, acceptPasswordLink } from '../../access/invitations.ts'
import { nameLength } from '../../access/names.ts'
import { passwordBytes } from '../../access/passwords.ts'
import type { Proven } from '../../access/sessions.ts'
import { Refusal } from '../../refusal.ts'
import { readForm } from '../http/body.ts'
import { type Html, html } from '../http/html.ts'
import { sendPage } from '../http/page.ts'
import { requireSameSite } from '../http/same-site.ts'
import { visitorOf } from '../http/visitor.ts'
import { linkScript } from './link-script.ts'
import { firstPlace } from './login.ts'
import { startSession } from './start-session.ts'

const scriptAddress = '/furrow-link.js'

/**
 * Where links lead that managers make for others. The page is the same for everybody and looks at nothing: programs that preview a link use
 * nothing up. What counts is what is sent.
 */
export function addLinkPages(scope: FastifyInstance, installation: Installation): void {
  scope.get('/invitation', (_request, reply) =>
    sendPage(reply, { title: 'You are invited', main: invitationForm, script: scriptAddress }),
  )
  scope.get('/new-password', (_request, reply) =>
    sendPage(reply, { title: 'A new password', main: passwordForm, script: scriptAddress }),
  )
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

interface Given extends ReturnType<typeof visitorOf> {
  readonly key: string
  readonly password: string
  readonly name?: string | undefined
  readonly language?: string | undefined
}

interface Keyed {
  readonly installation: Installation
  readonly accept: (given: Given) => Promise<Proven>
}

/** Whoever is let in by a key is logged in at once. */
function addKeyed(scope: FastifyInstance, path: string, { installation, accept }: Keyed): void {
  scope.post(path, async (request, reply) => {
    requireSameSite(request, installation)
    const proven = await accept(givenIn(request, installation))
    if ((await startSession(request, reply, { installation, proven })) === null)
      throw new Refusal('unauthenticated', 'This account was changed, blocked or removed at this moment.')
    return sendWayOn(reply, firstPlace(installation))
  })
}

function givenIn(request: FastifyRequest, installation: Installation): Given {
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
  return reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify({ go_on: path }))
}

const choosePassword = html`<label for="password">Your password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" aria-describedby="password-hint" required>
<p class="soft" id="password-hint">At least ${passwordBytes.least} characters. Longer is better.</p>
<label for="again">Your password, once more</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" required>`

interface LinkForm {
  readonly to: string
  readonly about: Html
  readonly fields: Html
  readonly button: string
}

const linkForm = ({ to, about, fields, button }: LinkForm): Html => html`${about}
<noscript><p class="alert">This page needs JavaScript, because the key of your link is not sent to the server before you agree. Allow it here, or open the link in another browser.</p></noscript>
<p class="alert" role="alert" hidden></p>
<form data-to="${to}" data-differ="The two passwords are not the same." data-offline="The farm does not answer. Try again." data-incomplete="This link is not complete: copy all of it, with what stands behind the #." hidden>
${fields}
<button type="submit">${button}</button>
</form>`

const invitationForm = linkForm({
  to: '/invitation.json',
  about: html`<p>Somebody who runs this farm has invited you. Choose a name and a password to log in with.</p>`,
  fields: html`<label for="name">Your user name</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="${nameLength}" required>
${choosePassword}`,
  button: 'Begin',
})

const passwordForm = linkForm({
  to: '/new-password.json',
  about: html`<p>Choose a new password. Every device and application that is logged in with the old one has to log in again.</p>`,
  fields: choosePassword,
  button: 'Set the password',
})
