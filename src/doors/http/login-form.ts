import { loginNameLength } from '../../access/names.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html } from './html.ts'

export interface LoginForm {
  /** Where to go afterwards: a path of this server. */
  readonly destination: string | null
  /** As it was asked for in the address of the page. */
  readonly language?: string | undefined
  readonly name?: string
  /** Why the page is shown. */
  readonly reason?: string
  /** What went wrong with the attempt before. */
  readonly message?: string
}

/** Shown by the login page, and in place of the consent page to whoever is not logged in. */
export function loginForm({ destination, language, name = '', reason, message }: LoginForm, { say }: PageWords): Html {
  const alert = message === undefined ? null : html`<p class="alert" role="alert">${message}</p>`
  const hidden = destination === null ? null : html`<input type="hidden" name="destination" value="${destination}">`
  const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`
  return html`${reason === undefined ? null : html`<p>${reason}</p>`}${alert}
<form method="post" action="/user/login${query}">
<label for="name">${say('login.name')}</label>
<input id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="${loginNameLength}" required>
<label for="pass">${say('login.password')}</label>
<input id="pass" name="pass" type="password" autocomplete="current-password" required>
<input type="hidden" name="form_id" value="user_login">
${hidden}
<button type="submit">${say('page.log-in')}</button>
</form>`
}
