import type { Installation } from '../../access/installation.ts'
import type { AuthorizationRequest } from '../../access/oauth/authorization-request.ts'
import type { Asker, ConsentQuestion } from '../../access/oauth/consent.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html } from '../http/html.ts'
import { worded } from '../http/worded.ts'

interface ConsentPage {
  readonly installation: Installation
  readonly path: string
  readonly asked: AuthorizationRequest
  readonly asker: Asker
  readonly question: ConsentQuestion
  readonly words: PageWords
}

export async function consentPage(page: ConsentPage): Promise<Html> {
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
