import type { GrantedApplication } from '../../access/applications.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import { passwordBytes } from '../../access/passwords.ts'
import { type PersonalToken, personalTokenLimits } from '../../access/personal-tokens.ts'
import { hashOf } from '../../access/secrets.ts'
import type { listSessions } from '../../access/sessions.ts'
import { roles } from '../../farm/people/roles.ts'
import type { Scope } from '../../farm/people/scopes.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html, worded } from '../http/html.ts'
import { deviceOf } from '../http/user-agent.ts'
import { faultBelow, invalidBy, type PasswordFault } from './password-fields.ts'

/** A token that was just made, which is shown this once. */
export interface NewPersonalToken {
  readonly name: string
  readonly token: string
}

type Session = Awaited<ReturnType<typeof listSessions>>[number]

interface AccountPageParts {
  readonly caller: IdentifiedCaller
  readonly csrfToken: string
  readonly applications: readonly GrantedApplication[]
  readonly sessions: readonly Session[]
  readonly tokens: readonly PersonalToken[]
  readonly scopes: readonly Scope[]
  /** Those that a token of this user may have. */
  readonly scopesForTokens: readonly Scope[]
  /** Whether the password was last shown too long ago to make a token. */
  readonly needsPassword: boolean
  readonly made: NewPersonalToken | null
  /** Whether there is an app, which forgets what it has kept before it logs out. */
  readonly hasApp: boolean
  readonly fault: PasswordFault | undefined
  readonly momentOf: (seconds: number) => string
  /** What was done. */
  readonly news: Html | null
  readonly words: PageWords
}

/** Where a login form that is posted again leads. */
export const pointerToAccount = ({ say }: PageWords): Html =>
  html`<p>${worded(say('account.pointer'), { links: ['/account'] })}</p>`

export function accountPage(page: AccountPageParts): Html {
  const { caller, hasApp, fault, made, news, words } = page
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
${fault === undefined || fault.field in passwordInputs ? null : html`<p class="alert" role="alert">${fault.message}</p>`}
${news === null ? null : html`<p role="status">${news}</p>`}
${made === null ? null : newToken(made, words)}
<p>${waysOn}</p>
<h2>${say('account.applications')}</h2>
${applicationList(page)}
<h2 id="tokens">${say('account.tokens')}</h2>
${personalTokens(page)}
<h2>${say('account.sessions')}</h2>
${sessionList(page)}
<h2>${say('account.password')}</h2>
${passwordForm(page)}`
}

function applicationList({ applications, csrfToken, scopes, momentOf, words }: AccountPageParts): Html {
  const { say } = words
  if (applications.length === 0) return html`<p>${say('account.no-application')}</p>`
  return html`<ul class="rows">${applications.map(
    ({ client, label, scopes: granted, since }) => html`<li>
<div>
<p><strong>${label}</strong></p>
<p class="soft">${say('account.since', { day: momentOf(since), what: allowed(granted, scopes, words) })}</p>
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

/** At the top of the page, where the answer opens. */
const newToken = ({ name, token }: NewPersonalToken, { say }: PageWords): Html =>
  html`<div role="status"><p>${worded(say('account.token-made'), { values: { name: html`<strong>${name}</strong>` } })}</p>
<pre><code>${token}</code></pre></div>`

function personalTokens(page: AccountPageParts): Html {
  const { tokens, words } = page
  const { say } = words
  return html`<p class="soft">${say('account.tokens-about')}</p>
${tokens.length === 0 ? html`<p>${say('account.no-token')}</p>` : html`<ul class="rows">${tokens.map((token) => tokenRow(token, page))}</ul>`}
${personalTokenForm(page)}`
}

function tokenRow({ id, name, scopes: granted, ends }: PersonalToken, page: AccountPageParts): Html {
  const { csrfToken, scopes, momentOf, words } = page
  const { say } = words
  return html`<li>
<div>
<p><strong>${name}</strong></p>
<p class="soft">${say('account.token-until', { day: momentOf(ends), what: allowed(granted, scopes, words) })}</p>
</div>
<form method="post" action="/account/tokens/end">
${csrfField(csrfToken)}
<button class="quiet" type="submit" name="token" value="${id}" aria-label="${say('account.revoke-named', { name })}">${say('account.revoke')}</button>
</form>
</li>`
}

function personalTokenForm({ csrfToken, scopesForTokens, scopes, needsPassword, words }: AccountPageParts): Html {
  const { say } = words
  const { nameLength, days } = personalTokenLimits
  const options = scopesForTokens.map(
    ({ name }) => html`<option value="${name}">${allowed([name], scopes, words)}</option>`,
  )
  const password = html`<label for="token-password">${say('account.present')}</label>
<input id="token-password" name="password" type="password" autocomplete="current-password" required>`
  return html`<form method="post" action="/account/tokens">
${csrfField(csrfToken)}
<label for="token-name">${say('account.token-name')}</label>
<input id="token-name" name="name" maxlength="${nameLength}" autocomplete="off" required>
<label for="token-scope">${say('account.token-scope')}</label>
<select id="token-scope" name="scope">${options}</select>
<label for="token-days">${say('account.token-days', days)}</label>
<input id="token-days" name="days" type="number" min="${days.least}" max="${days.most}" value="90" required>
${needsPassword ? password : null}
<button type="submit">${say('account.make-token')}</button>
</form>`
}

function sessionList({ sessions, csrfToken, caller, momentOf, words }: AccountPageParts): Html {
  const { say } = words
  const own = hashOf(caller.bond)
  const rows = sessions.map(({ hash, agent, address, created }) => {
    const end = html`<form method="post" action="/account/sessions">
${csrfField(csrfToken)}
<button class="quiet" type="submit" name="session" value="${hash}" aria-label="${say('account.end-named', { day: momentOf(created), address })}">${say('account.end')}</button>
</form>`
    return html`<li>
<div>
<p>${deviceOf(agent, words)}</p>
<p class="soft">${say('account.since-from', { day: momentOf(created), address })}</p>
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

const passwordInputs = {
  old: { words: 'account.present', autocomplete: 'current-password', least: 0 },
  new: { words: 'account.new', autocomplete: 'new-password', least: passwordBytes.least },
  again: { words: 'account.again', autocomplete: 'new-password', least: passwordBytes.least },
} as const

function passwordForm({ csrfToken, fault, words: { say } }: AccountPageParts): Html {
  const inputs = (['old', 'new', 'again'] as const).map((name) => {
    const { words, autocomplete, least } = passwordInputs[name]
    const message = fault?.field === name ? fault.message : undefined
    return html`<label for="${name}">${say(words)}</label>
<input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" minlength="${least}" required${invalidBy(name, message)}>
${faultBelow(name, message)}`
  })
  return html`<p class="soft">${say('account.password-about')}</p>
<form method="post" action="/account/password">
${csrfField(csrfToken)}
${inputs}
<button type="submit">${say('account.change')}</button>
</form>`
}

function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}">`
}
