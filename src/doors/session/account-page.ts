import type { Application } from '../../access/applications.ts'
import type { Identified } from '../../access/credentials.ts'
import { passwordBytes } from '../../access/passwords.ts'
import { hashOf } from '../../access/secrets.ts'
import type { listSessions } from '../../access/sessions.ts'
import { roles } from '../../farm/people/roles.ts'
import type { Scope } from '../../farm/people/scopes.ts'
import { deviceOf } from '../http/device.ts'
import { type Html, html } from '../http/html.ts'

type Session = Awaited<ReturnType<typeof listSessions>>[number]

interface AccountPage {
  readonly caller: Identified
  readonly csrfToken: string
  readonly applications: readonly Application[]
  readonly sessions: readonly Session[]
  readonly scopes: readonly Scope[]
  /** Whether there is an app, which forgets what it has kept before it logs out. */
  readonly hasApp: boolean
  /** What is wrong with what was filled in. */
  readonly message: string | null
  /** What was done. */
  readonly news: Html | null
}

const pointer = html`<p>You are logged in. <a href="/account">Go to your account</a>.</p>`

function whole(page: AccountPage): Html {
  const { caller, hasApp, message, news } = page
  const waysOn = hasApp
    ? html`<a class="button" href="/app/">To the farm</a> <a class="button quiet" href="/app/log-out">Log out</a>`
    : html`<a class="button quiet" href="/user/logout">Log out</a>`
  return html`<p>You are <strong>${caller.name}</strong>${caller.role === null ? ', without a role on this farm' : `, ${roles[caller.role].label}`}.</p>
${message === null ? null : html`<p class="alert" role="alert">${message}</p>`}
${news === null ? null : html`<p role="status">${news}</p>`}
<p>${waysOn}</p>
<h2>Applications</h2>
${applicationList(page)}
<h2>Sessions</h2>
${sessionList(page)}
<h2>Password</h2>
${passwordForm(page)}`
}

function applicationList({ applications, csrfToken, scopes }: AccountPage): Html {
  if (applications.length === 0) return html`<p>No application can act in your name.</p>`
  return html`<ul class="rows">${applications.map(
    ({ client, label, scopes: granted, since }) => html`<li>
<div>
<p><strong>${label}</strong></p>
<p class="soft">Since ${day(since)}: ${allowed(granted, scopes)}</p>
</div>
<form method="post" action="/account/applications">
${csrfField(csrfToken)}
<button class="quiet" type="submit" name="client" value="${client}" aria-label="Revoke ${label}">Revoke</button>
</form>
</li>`,
  )}</ul>`
}

function allowed(granted: readonly string[], scopes: readonly Scope[]): string {
  if (granted.length === 0) return 'nothing that your role covers'
  return granted.map((name) => scopes.find((scope) => scope.name === name)?.label ?? name).join('; ')
}

function sessionList({ sessions, csrfToken, caller }: AccountPage): Html {
  const own = hashOf(caller.bond)
  const rows = sessions.map(({ hash, agent, address, created }) => {
    const end = html`<form method="post" action="/account/sessions">
${csrfField(csrfToken)}
<button class="quiet" type="submit" name="session" value="${hash}" aria-label="End the session of ${day(created)} from ${address}">End</button>
</form>`
    return html`<li>
<div>
<p>${deviceOf(agent)}</p>
<p class="soft">Since ${day(created)}, from ${address}</p>
</div>
${hash === own ? html`<p><strong>This one</strong></p>` : end}
</li>`
  })
  const others = html`<form method="post" action="/account/sessions">
${csrfField(csrfToken)}
<button class="quiet" type="submit">End all other sessions</button>
</form>`
  return html`<ul class="rows">${rows}</ul>
${sessions.length > 1 ? others : null}`
}

function passwordForm({ csrfToken }: AccountPage): Html {
  return html`<p class="soft">A new password ends every other session and every application’s access.</p>
<form method="post" action="/account/password">
${csrfField(csrfToken)}
<label for="old">Present password</label>
<input id="old" name="old" type="password" autocomplete="current-password" required>
<label for="new">New password</label>
<input id="new" name="new" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" required>
<label for="again">New password, once more</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="${passwordBytes.least}" required>
<button type="submit">Change password</button>
</form>`
}

function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}">`
}

function day(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export const accountPage = { whole, pointer }
