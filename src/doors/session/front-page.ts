import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { isSetupOpen } from '../../access/setup-state.ts'
import { Refusal } from '../../refusal.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { sendPage } from '../http/page.ts'
import { worded } from '../http/worded.ts'
import { goTo, hasSession } from './login.ts'

/** What a person finds who types in the farm's bare address. Programs find nothing here, and are told where to begin. */
export function addFrontPage(scope: FastifyInstance, installation: Installation): void {
  scope.get('/', async (request, reply) => {
    if (!prefersHtml(request)) throw new Refusal('not-found', forProgram)
    const isUser = await hasSession(request, installation)
    if (isUser && installation.settings.app) return goTo(request, reply, { installation, path: '/app/' })
    const { name } = await installation.database.read(readFarmSettings)
    const words = await request.server.wordsFor(request)
    if (await isSetupOpen(installation)) return sendPage(reply, { title: name, main: withoutAccount(words), words })
    return sendPage(reply, { title: name, main: isUser ? forUser(words) : forVisitor(words), words })
  })
}

const forProgram =
  'There is nothing at this address. The documentation is at /docs, and /farm.json says what this farm can record.'

const hints = ({ say }: PageWords): Html => html`<p>${worded(say('front.new-here'), { links: ['/docs'] })}</p>
<p class="soft">${worded(say('front.programs'), { links: ['/farm.json', '/openapi.json', '/docs/integrate'] })}</p>`

const page = (words: PageWords, doors: Html): Html => html`<p>${words.say('front.kept')}</p>
${doors}
${hints(words)}`

const forVisitor = (words: PageWords): Html =>
  page(words, html`<p><a class="button" href="/user/login">${words.say('page.log-in')}</a></p>`)

const forUser = (words: PageWords): Html =>
  page(
    words,
    html`<p>${words.say('front.logged-in')}</p>
<p><a class="button" href="/account">${words.say('account.title')}</a> <a class="button quiet" href="/user/logout">${words.say('page.log-out')}</a></p>`,
  )

const command = html`<code>furrow user add NAME --role manager</code>`

const withoutAccount = (words: PageWords): Html =>
  page(words, html`<p>${worded(words.say('front.no-account'), { values: { command } })}</p>`)
