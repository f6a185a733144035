import { csrfTokenFor } from '../../access/csrf.ts'
import type { Installation } from '../../access/installation.ts'
import type { AuthorizationRequest } from '../../access/oauth/authorization-request.ts'
import type { Asker, Question } from '../../access/oauth/consent.ts'
import { type Html, html } from '../http/html.ts'

interface ConsentPage {
  readonly installation: Installation
  readonly path: string
  readonly asked: AuthorizationRequest
  readonly asker: Asker
  readonly question: Question
}

export async function consentPage({ installation, path, asked, asker, question }: ConsentPage): Promise<Html> {
  const { client, returnAddress } = asked
  return html`<p><strong>${client.label}</strong> asks to act on this farm in your name, ${asker.caller.name}. It could:</p>
<ul>${question.scopes.map(({ label }) => html`<li>${label}</li>`)}</ul>
<p class="soft">Afterwards you are sent to ${placeOf(returnAddress.redirectUri)}. You can take this back at any time on your account page.</p>
<form method="post" action="${path}">
<input type="hidden" name="request" value="${question.id}">
<input type="hidden" name="csrf" value="${await csrfTokenFor(installation.database, asker.session)}">
<button type="submit" name="answer" value="approve">Yes, let it in</button>
<button class="quiet" type="submit" name="answer" value="deny">No</button>
</form>`
}

function placeOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return host === '' ? `the application at ${protocol}` : host
}
