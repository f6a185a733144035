import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { isSetupOpen } from '../../access/setup-state.ts'
import { Refusal } from '../../refusal.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { type Html, html } from '../http/html.ts'
import { prefersHtml } from '../http/negotiation.ts'
import { sendPage } from '../http/page.ts'
import { goTo, hasSession } from './login.ts'

/** What a person finds who types in the farm's bare address. Programs find nothing here, and are told where to begin. */
export function addFrontPage(scope: FastifyInstance, installation: Installation): void {
  scope.get('/', async (request, reply) => {
    if (!prefersHtml(request)) throw new Refusal('not-found', forProgram)
    const isUser = await hasSession(request, installation)
    if (isUser && installation.settings.app) return goTo(request, reply, { installation, path: '/app/' })
    const { name } = await installation.database.read(readFarmSettings)
    if (await isSetupOpen(installation)) return sendPage(reply, { title: name, main: withoutAccount })
    return sendPage(reply, { title: name, main: isUser ? forUser : forVisitor })
  })
}

const forProgram =
  'There is nothing at this address. The documentation is at /docs, and /farm.json says what this farm can record.'

const hints = html`<p>New here? <a href="/docs">The documentation</a> begins with what is recorded, and how.</p>
<p class="soft">Programs read and write the records, too. Those who write one begin at
<a href="/farm.json">/farm.json</a>, which says what this farm can record, and <a href="/openapi.json">/openapi.json</a>, which describes every address; both
want to know who is asking. <a href="/docs/integrate">How to get a token</a> has a page of its own.</p>`

const page = (doors: Html): Html => html`<p>The records of this farm are kept with Furrow.</p>
${doors}
${hints}`

const forVisitor = page(html`<p><a class="button" href="/user/login">Log in</a></p>`)

const forUser = page(html`<p>You are logged in.</p>
<p><a class="button" href="/account">Your account</a> <a class="button quiet" href="/user/logout">Log out</a></p>`)

const withoutAccount =
  page(html`<p>There is no account yet. Whoever started the server finds there the address at which the first one is made, or makes it with
<code>furrow user add NAME --role manager</code>, which the server has printed, too, as it is called there.</p>`)
