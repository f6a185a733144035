import type { GrantedApplication } from '../../access/applications.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import { passwordBytes } from '../../access/passwords.ts'
import { hashOf } from '../../access/secrets.ts'
import type { listSessions } from '../../access/sessions.ts'
import { roles } from '../../farm/people/roles.ts'
import type { Scope } from '../../farm/people/scopes.ts'
import type { PageWords } from '../../words/page-words.ts'
import { deviceOf } from '../http/device.ts'
import { type Html, html } from '../http/html.ts'
import { worded } from '../http/worded.ts'

type Session = Awaited<ReturnType<typeof listSessions>>[number]

interface AccountPage {
  readonly caller: IdentifiedCaller
  readonly csrfToken: string
  readonly applications: readonly GrantedApplication[]
  readonly sessions: readonly Session[]
  readonly scopes: readonly Scope[]
  /** Whether there is an app, which forgets what it has kept before it logs out. */
  readonly hasApp: boolean
  /** What is wrong with what was filled in. */
  readonly message: string | null
  /** What was done. */
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

export const accountPage = { whole, pointer }
