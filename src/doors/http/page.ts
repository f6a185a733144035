import type { FastifyReply, FastifyRequest } from 'fastify'
import { loginNameLength } from '../../access/names.ts'
import { Refusal, type RefusalName, refusals } from '../../refusal.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html, worded } from './html.ts'
import { prefersHtml } from './negotiation.ts'
import { answerTo } from './problem-details.ts'
import { deliver, type ReadyAnswer } from './record-answers.ts'

export interface Page {
  readonly title: string
  readonly main: Html
  readonly status?: number
  /** A further target of the page's forms: browsers block redirects to other places. */
  readonly formTarget?: string
  /** The way around in pages that are read at length, which take more room. */
  readonly header?: Html
  /** Allows pictures of this server. */
  readonly pictures?: 'own'
  /** The address of a script of ours. */
  readonly script?: string
  /** English, unless it is said otherwise. */
  readonly words?: Pick<PageWords, 'language' | 'direction'>
}

/** A page of our own: nothing inline, nothing from elsewhere, in nobody's frame, and in no cache. */
export const sendPage = (reply: FastifyReply, page: Page): FastifyReply => deliver(reply, pageAnswer(page))

export function pageAnswer(page: Page): ReadyAnswer {
  const formAction = ["'self'", ...sourceOf(page.formTarget)].join(' ')
  return {
    status: page.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'self'; ${forPictures(page)}${forScript(page)}form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    },
    body: layout(page).text,
  }
}

const forPictures = ({ pictures }: Page): string => (pictures === 'own' ? "img-src 'self'; " : '')

/** A page with a script may load it from here and ask this server, and nobody else. */
const forScript = ({ script }: Page): string =>
  script === undefined ? '' : "script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; "

/** The place in a content security policy: an origin, or a private scheme, which has a dot. */
function sourceOf(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return []
  const { protocol, origin } = new URL(address)
  if (protocol === 'https:' || protocol === 'http:') return [origin]
  return protocol.includes('.') ? [protocol] : []
}

/**
 * Without any referrer, browsers send `Origin: null` for our own forms, as for a forged one (see browser-security.ts).
 */
function layout({ title, main, header, script, words }: Page): Html {
  return html`<!doctype html>
<html lang="${words?.language ?? 'en'}"${words?.direction === 'rtl' ? html` dir="rtl"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<title>${title}</title>
<link rel="stylesheet" href="/furrow.css">
${
  script === undefined
    ? null
    : html`<script src="${script}" defer></script>
`
}</head>
${header === undefined ? html`<body>` : html`<body class="document">\n<header>${header}</header>`}
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
}

/** A no, shown to a person as a page and told to a program as problem details. */
export async function answerWithPage(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return prefersHtml(request) ? sendRefusalPage(thrown, request, reply) : reply.send(answerTo(thrown, request, reply))
}

export async function sendRefusalPage(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const words = await request.server.wordsFor(request)
  answerTo(thrown, request, reply)
  const status = reply.statusCode
  if (!(thrown instanceof Refusal)) {
    const main = html`<p role="alert">${words.say('error.in-log', { id: request.id })}</p>`
    return sendPage(reply, { title: words.say('error.title'), main, status, words })
  }
  const { title, message, way } = forPeople(request, words)[thrown.refusal] ?? {}
  return sendPage(reply, {
    title: title ?? words.labels?.refusals[thrown.refusal] ?? refusals[thrown.refusal].title,
    main: html`${alertOf(message, thrown, words)}
${way ?? wayOn(thrown, words)}`,
    status,
    words,
  })
}

/** The text of a refusal is in English. */
function alertOf(message: string | undefined, thrown: Refusal, { language }: PageWords): Html {
  const own = message === undefined && language !== 'en' ? html` lang="en" dir="ltr"` : null
  return html`<p role="alert"${own}>${message ?? thrown.message}</p>`
}

function wayOn({ details: { instead } }: Refusal, { say }: PageWords): Html {
  if (instead === null) return html``
  if (instead !== undefined) return html`<p><a class="button" href="${instead}">${say('error.over-https')}</a></p>`
  return html`<p>${worded(say('error.first-page'), { links: ['/'] })}</p>`
}

type RefusalWords = { readonly title: string; readonly message: string; readonly way: Html }

/** Programs get the words of the protocol instead. */
const forPeople = (request: FastifyRequest, { say }: PageWords): { readonly [R in RefusalName]?: RefusalWords } => ({
  unauthenticated: {
    title: say('error.not-logged-in'),
    message: say('error.session-over'),
    way: html`<p>${worded(say('error.log-in'), { links: [`/user/login?destination=${encodeURIComponent(destinationAfterLogin(request))}`] })}</p>`,
  },
  'csrf-failed': {
    title: say('error.out-of-date'),
    message: say('error.logged-in-since'),
    way: html`<p>${worded(say('error.open-account'), { links: ['/account'] })}</p>`,
  },
})

/** A POST is not repeated after the login. */
const destinationAfterLogin = ({ method, url }: FastifyRequest): string => (method === 'GET' ? url : '/account')

export interface LoginForm {
  /** The path to go to after the login. */
  readonly destination: string | null
  /** From the query of the page. */
  readonly language?: string | undefined
  readonly name?: string
  /** The reason why the page is shown. */
  readonly reason?: string
  /** The fault of the previous attempt. */
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
