import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { appFolder } from '../../shipped-folders.ts'
import { type MapLayer, originOfLayer } from '../../storage/map-layers.ts'
import { readFarmSettings, readMapLayers } from '../../storage/settings.ts'
import { type ContentCoding, codingFor, pathOf } from '../http/negotiation.ts'
import { baseAddressOf } from '../http/origin.ts'
import { answerWithPage } from '../http/page.ts'
import { deliver, isNotModified, type ReadyAnswer, withEtag } from '../http/record-answers.ts'

const page = 'app.html'
const isNameOfFile = /^[^/]+\.(?:js|css|html|svg|png|webmanifest|json|map|ico|txt)$/

/** The app's files, and its page at each of its addresses. They are public; the records they show need a login. */
export function addApp(app: FastifyInstance, installation: Installation): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    scope.get('/app', async (request, reply) => {
      // The scope of the service worker begins below the slash.
      if (pathOf(request) === '/app')
        return reply
          .code(302)
          .header('location', `${baseAddressOf(request, installation)}/app/`)
          .send()
      return sendPage(request, reply, installation)
    })
    // Some clients repeat the POST of their login form at the redirect target and expect 200. The body is ignored.
    scope.post('/app', (request, reply) => sendPage(request, reply, installation))
    scope.get('/app/sw.js', (request, reply) => sendWorker(request, reply, installation))
    scope.get('/app/manifest.webmanifest', (request, reply) => sendManifest(request, reply, installation))
    scope.get<{ Params: { '*': string } }>('/app/*', async (request, reply) => {
      const name = request.params['*']
      if (name === page || !isNameOfFile.test(name)) return sendPage(request, reply, installation)
      return deliver(reply, await answerWithFile(request, name))
    })
  })
}

/** Browsers apply the policy of a 304 to the cached page, so both carry the same. */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  installation: Installation,
): Promise<FastifyReply> {
  reply.header('content-security-policy', policyOfApp(await layersOf(request, installation)))
  return deliver(reply, await answerWithFile(request, page))
}

async function layersOf(request: FastifyRequest, installation: Installation) {
  const layers = await installation.database.read(readMapLayers)
  return layersFor(baseAddressOf(request, installation), layers)
}

/**
 * The service worker caches the page with its policy. A changed policy must change the worker, so that it fetches the
 * page again.
 */
async function sendWorker(
  request: FastifyRequest,
  reply: FastifyReply,
  installation: Installation,
): Promise<FastifyReply> {
  const code = await readAppFile('sw.js')
  const body = `${code}// ${originsOf(await layersOf(request, installation)).join(' ')}\n`
  const headers = { 'content-type': 'text/javascript; charset=utf-8' }
  reply.headers({ 'content-security-policy': policyOfWorker, 'cache-control': 'public, no-cache' })
  return deliver(reply, withEtag(request, { status: 200, headers, body }))
}

/** Named after the farm, because a user may work on several. */
async function sendManifest(
  request: FastifyRequest,
  reply: FastifyReply,
  { database }: Installation,
): Promise<FastifyReply> {
  const manifest = JSON.parse((await readAppFile('manifest.webmanifest')).toString())
  const { name } = await database.read(readFarmSettings)
  const body = JSON.stringify({ ...manifest, name, short_name: name })
  const headers = { 'content-type': 'application/manifest+json' }
  reply.header('cache-control', 'public, no-cache')
  return deliver(reply, withEtag(request, { status: 200, headers, body }))
}

/** CSP of the app's page: nothing inline, nothing external but map tiles, no frames. */
const policyOfApp = (layers: readonly MapLayer[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob:", ...originsOf(layers)].join(' '),
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types furrow',
  ].join('; ')

/** CSP of the service worker, which fetches the app's files and obeys the policy of its own file. */
const policyOfWorker = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

const originsOf = (layers: readonly MapLayer[]): readonly string[] => [...new Set(layers.map(originOfLayer))]

/** Over https, browsers block layers on http. */
export const layersFor = (base: string, layers: readonly MapLayer[]): readonly MapLayer[] =>
  layers.filter(({ url }) => url.startsWith('https:') || base.startsWith('http:'))

/** An entry of the build's list of files. */
interface AppFile {
  readonly type: string
  /** Changes with the content. */
  readonly tag: string
  /** The name contains a content hash. */
  readonly lasts: boolean
  /** Encodings with a compressed copy on disk. */
  readonly codings: readonly ContentCoding[]
}

type AppFiles = Readonly<Record<string, AppFile>>

/** Read on each request: starts stay fast, and a build beside a running server is complete. */
const allFiles = async (): Promise<AppFiles> => JSON.parse((await readBuilt('files.json')).toString())

/** The entry of a built file; undefined if there is none. Only a listed name is ever opened. */
async function appFile(name: string): Promise<AppFile | undefined> {
  const files = await allFiles()
  return Object.hasOwn(files, name) ? files[name] : undefined
}

async function readAppFile(name: string): Promise<Buffer> {
  if ((await appFile(name)) === undefined) throw new Refusal('not-found', 'The app has no such file.')
  return readBuilt(name)
}

const endings: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' }

/** The file in the smallest encoding that the client accepts. */
export async function answerWithFile(request: FastifyRequest, name: string): Promise<ReadyAnswer> {
  const file = await appFile(name)
  if (file === undefined) throw new Refusal('not-found', 'The app has no such file.')
  const kept = {
    etag: `"${file.tag}"`,
    vary: 'Accept-Encoding',
    'cache-control': file.lasts ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  }
  if (isNotModified(request, kept.etag)) return { status: 304, headers: kept, body: '' }
  const coding = codingFor(request.headers['accept-encoding'])
  const headers = { ...kept, 'content-type': file.type }
  if (coding === null || !file.codings.includes(coding)) return { status: 200, headers, body: await readBuilt(name) }
  const body = await readBuilt(name + endings[coding])
  return { status: 200, headers: { ...headers, 'content-encoding': coding }, body }
}

async function readBuilt(file: string): Promise<Buffer> {
  try {
    return await readFile(new URL(file, appFolder))
  } catch (cause) {
    const advice = 'whoever runs this server builds it again with `npm run build`.'
    throw new Refusal('not-found', `The app is missing from this installation: ${advice}`, { cause })
  }
}
