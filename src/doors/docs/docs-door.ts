import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { deliver, tagged } from '../http/answers/ready-answer.ts'
import { html } from '../http/html.ts'
import type { ReadableDescription } from '../http/openapi/readable-description.ts'
import { answerWithPage, type Page, pageAnswer } from '../http/page.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import type { Description } from './api/description.ts'
import { operationPage } from './api/operation-page.ts'
import { operationsPage } from './api/operations-page.ts'
import { schemaPage } from './api/schema-page.ts'
import { startPage } from './start-page.ts'
import { readPicture, readText, readTitles } from './written-pages.ts'

/** Pages are for people; a program reads /openapi.json. */
export const docsScriptAccess: readonly ScriptAccess[] = [{ paths: /^\/docs(?:\/|$)/, openTo: 'nobody' }]

/**
 * The documentation, for anybody, and the description of this farm's interface for people who may read it as JSON. None of
 * its addresses stand in that description: it is for programs, and these are pages.
 */
export function docsDoor(app: FastifyInstance, readDescription: ReadableDescription): void {
  const descriptionFor = async (request: FastifyRequest): Promise<Description> =>
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

/** Only a name that the build has listed becomes a file's. */
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
  return deliver(reply.header('cache-control', 'public, no-cache'), tagged(request, { status: 200, headers, body }))
}

const header = html`<nav aria-label="Documentation"><a href="/docs">Documentation</a> <a href="/docs/api">Interface of this farm</a> <a href="/">First page</a></nav>`

/** The same for everybody. */
const show = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply =>
  sendKept(request, reply.header('cache-control', 'public, no-cache'), page)

/** What this farm says of itself to whoever asked. */
const showOwn = (request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply =>
  sendKept(request, reply.header('cache-control', 'private, no-cache'), page)

/** A browser takes the policy of a 304 for that of the page it kept: both carry the same. */
function sendKept(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { headers, ...answer } = pageAnswer({ ...page, header })
  const { 'content-security-policy': policy, 'content-type': type = '' } = headers
  reply.header('content-security-policy', policy)
  return deliver(reply, tagged(request, { ...answer, headers: { 'content-type': type } }))
}
