import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { documentationFolder } from '../../shipped-folders.ts'
import { Html, html } from '../http/html.ts'
import type { ScriptAccess } from '../http/origin.ts'
import { answerWithPage, type Page, pageAnswer } from '../http/page.ts'
import type { ReadableDescription } from '../http/readable-description.ts'
import { deliver, withEtag } from '../http/record-answers.ts'
import { operationPage, operationsPage, schemaPage } from './api-pages.ts'
import type { OpenapiDocument } from './openapi-html.ts'
import { readers } from './readers.ts'

/** Pages are for people; programs read /openapi.json. */
export const docsScriptAccess: readonly ScriptAccess[] = [{ paths: /^\/docs(?:\/|$)/, openTo: 'nobody' }]

/**
 * The public documentation, and the interface: this farm's own for users who may read its records. OpenAPI does not list
 * these pages, because they are for people.
 */
export function docsDoor(app: FastifyInstance, readDescription: ReadableDescription): void {
  const descriptionFor = async (request: FastifyRequest): Promise<OpenapiDocument> =>
    JSON.parse(await readDescription(request))

  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    scope.get('/docs', async (request, reply) => show(request, reply, startPage(await readTitles())))
    scope.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) =>
      show(request, reply, await writtenPage(request.params['*'].replace(/\/$/, ''))),
    )
    scope.get<{ Params: { name: string } }>('/docs/pictures/:name', (request, reply) =>
      showPicture(request, reply, request.params.name),
    )
    scope.get('/docs/api', async (request, reply) =>
      showOwn(request, reply, operationsPage(await descriptionFor(request))),
    )
    scope.get<{ Params: { id: string } }>('/docs/api/operations/:id', async (request, reply) =>
      showOwn(request, reply, operationPage(await descriptionFor(request), request.params.id)),
    )
    scope.get<{ Params: { name: string } }>('/docs/api/schemas/:name', async (request, reply) =>
      showOwn(request, reply, schemaPage(await descriptionFor(request), request.params.name)),
    )
  })
}

/** Only a listed name is ever opened. */
async function writtenPage(name: string): Promise<Page> {
  const titles = await readTitles()
  if (name === '') return startPage(titles)
  const title = titles.get(name)
  if (title === undefined) throw new Refusal('not-found', 'The documentation has no such page.')
  const main = await readText(name)
  return { title, main, ...(main.text.includes('<img ') && { pictures: 'own' }) }
}

const pictureTypes: Readonly<Record<string, string>> = { webp: 'image/webp', png: 'image/png' }

async function showPicture(request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> {
  const type = pictureTypes[name.split('.').at(-1) ?? '']
  const body = type === undefined ? undefined : await readPicture(name)
  if (type === undefined || body === undefined) throw new Refusal('not-found', 'The documentation has no such picture.')
  const headers = { 'content-type': type }
  return deliver(reply.header('cache-control', 'public, no-cache'), withEtag(request, { status: 200, headers, body }))
}

const header = html`<nav aria-label="Documentation"><a href="/docs">Documentation</a> <a href="/docs/api">Interface of this farm</a> <a href="/">First page</a></nav>`

/** Public and the same for everyone. */
const show = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply =>
  sendKept(request, reply.header('cache-control', 'public, no-cache'), page)

/** A page about this farm, for the caller only. */
const showOwn = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply =>
  sendKept(request, reply.header('cache-control', 'private, no-cache'), page)

/** Browsers apply the policy of a 304 to the cached page, so both carry the same. */
function sendKept(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { headers, ...answer } = pageAnswer({ ...page, header })
  const { 'content-security-policy': policy, 'content-type': type = '' } = headers
  reply.header('content-security-policy', policy)
  return deliver(reply, withEtag(request, { ...answer, headers: { 'content-type': type } }))
}

/** All pages, by shelf. */
function startPage(titles: ReadonlyMap<string, string>): Page {
  const sections = readers.map(({ reader, id, pages }) => {
    const items = Object.entries(pages).map(
      ([name, about]) => html`<li><a href="/docs/${name}">${titles.get(name) ?? name}</a>: ${about}</li>`,
    )
    return html`<h2 id="${id}">${reader}</h2>\n<ul>${items}</ul>\n`
  })
  return { title: 'Documentation', main: html`${contents}<div class="text">${introduction}${sections}</div>` }
}

const contents = html`<nav class="contents" aria-label="On this page"><ul>${readers.map(
  ({ reader, id }) => html`<li><a href="#${id}">${reader}</a></li>`,
)}</ul></nav>`

const introduction: Html = html`<p>Everything about Furrow, served by this farm itself. Who is new begins with
<a href="/docs/concepts">what is recorded, and how</a>. Addresses such as <code>http://127.0.0.1:8080</code> in the examples stand for the address of your farm.
<a href="/docs/api">The interface of this farm</a>, address by address: those who may read its records see its own types too.</p>`

/** Titles of all pages by name. Read on request, so that starts stay fast. */
async function readTitles(): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries(JSON.parse(await readBuilt('titles.json'))))
}

/** The text of a listed page. The build has escaped everything but its own markup. */
const readText = async (name: string): Promise<Html> => new Html(await readBuilt(`${name}.html`))

/** A picture, or undefined. Only a listed name is ever opened. */
async function readPicture(name: string): Promise<Buffer | undefined> {
  const folder = new URL('pictures/', documentationFolder)
  const names = await readdir(folder).catch((): string[] => [])
  return names.includes(name) ? readFile(new URL(encodeURIComponent(name), folder)) : undefined
}

async function readBuilt(file: string): Promise<string> {
  try {
    return await readFile(new URL(file, documentationFolder), 'utf8')
  } catch (cause) {
    const advice = 'whoever runs this server builds it again with `npm run build`.'
    throw new Refusal('not-found', `The documentation is missing from this installation: ${advice}`, { cause })
  }
}
