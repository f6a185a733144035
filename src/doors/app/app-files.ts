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

/** The app: its files, and its page under every address that it shows something at. Anybody may have them; what they show is asked for. */
export function addApp(app: FastifyInstance, installation: Installation): void {
  app.register(async (scope) => {
    scope.setErrorHandler(answerWithPage)
    scope.get('/app', async (request, reply) => {
      // The worker keeps what lies below the slash.
      if (pathOf(request) === '/app')
        return reply
          .code(302)
          .header('location', `${baseAddressOf(request, installation)}/app/`)
          .send()
      return sendPage(request, reply, installation)
    })
    // Some clients post their login form again to wherever the login sends them, and want a 200: nothing is done with it.
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

/** A browser takes the policy of a 304 for that of the page it kept: both carry the same. */
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

/** The worker keeps the page with its policy: where the policy changes, so does the worker, and keeps the page anew. */
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

/** Under the name of the farm, because somebody may work on several. */
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

/** What the page of the app may do: nothing inline, nothing from elsewhere but the tiles of its layers, in nobody's frame. */
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

/** The worker fetches the files of the app, and a worker obeys the policy of its own file. */
const policyOfWorker = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

const originsOf = (layers: readonly MapLayer[]): readonly string[] => [...new Set(layers.map(originOfLayer))]

/** On a farm that is reached over https a browser would ask nobody over http. */
export const layersFor = (base: string, layers: readonly MapLayer[]): readonly MapLayer[] =>
  layers.filter(({ url }) => url.startsWith('https:') || base.startsWith('http:'))

/** What the build says of a file of the app. */
interface AppFile {
  readonly type: string
  /** Another for other bytes. */
  readonly tag: string
  /** Its name says what is in it. */
  readonly lasts: boolean
  /** In which it lies there, too. */
  readonly codings: readonly ContentCoding[]
}

type AppFiles = Readonly<Record<string, AppFile>>

/** Read whenever it is asked for: no start waits for it, and a build beside a running server is whole. */
const allFiles = async (): Promise<AppFiles> => JSON.parse((await readBuilt('files.json')).toString())

/** What the build has put under this name; undefined where it has put nothing there. Only a name that it lists becomes a file's. */
async function appFile(name: string): Promise<AppFile | undefined> {
  const files = await allFiles()
  return Object.hasOwn(files, name) ? files[name] : undefined
}

async function readAppFile(name: string): Promise<Buffer> {
  if ((await appFile(name)) === undefined) throw new Refusal('not-found', 'The app has no such file.')
  return readBuilt(name)
}

const endings: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' }

/** The file as the build has left it, already as small as the caller can take it. */
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
