import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Installation } from '../../access/installation.ts'
import { listedLanguages } from '../../access/locales.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { type MapLayer, originOfLayer } from '../../storage/map-layers.ts'
import { readFarmSettings, readFarmUuid, readMapLayers } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import { baseAddressOf } from '../http/base-address.ts'
import type { ScriptAccess } from '../http/browser-security.ts'
import { callerOf } from '../http/caller.ts'
import { deliver, withEtag } from '../http/etags.ts'
import { pathOf } from '../http/negotiation.ts'
import { answerWithPage } from '../http/page.ts'
import { answerWithFile, readAppFile } from './app-files.ts'
import { addCatalogue } from './catalogue.ts'
import type { Me } from './documents.ts'
import { addSharedReport } from './shared-report.ts'

/** The app is for people; programs read what it reads. */
export const appScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/app(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/shared-report(?:\.|$)/, openTo: 'nobody' },
]

/** The app, and what it needs to know before it asks for records. */
export function appDoor(app: FastifyInstance, installation: Records): void {
  addMe(app, installation)
  addCatalogue(app, installation)
  addSharedReport(app, installation)
  if (installation.settings.app) addApp(app, installation)
}

/** Who is asking and what they may do, and the farm that is asked. */
function addMe(app: FastifyInstance, installation: Records): void {
  app.get('/me.json', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    const me = await tellMe(request, caller, installation)
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(JSON.stringify(me))
  })
}

async function tellMe(request: FastifyRequest, caller: IdentifiedCaller, installation: Records): Promise<Me> {
  const { database, farm, clock, catalogue } = installation
  const csrfToken = caller.carrier === 'cookie' ? await csrfTokenFor(database, caller.bond) : null
  return database.read(async (snapshot) => {
    requireEdition(installation, await readEdition(snapshot))
    const account = (await accountsByIds(snapshot, [caller.uid])).get(caller.uid)
    const settings = await readFarmSettings(snapshot)
    const { name, system_of_measurement, timezone, language } = settings
    const layers = caller.rights.has('read-info') ? await readMapLayers(snapshot) : []
    return {
      account: {
        id: String(caller.uid),
        name: caller.name,
        role: caller.role,
        language: account?.language ?? language,
      },
      rights: [...caller.rights],
      csrf_token: csrfToken,
      farm: {
        uuid: await readFarmUuid(snapshot),
        name,
        system_of_measurement,
        timezone,
        language,
        languages: listedLanguages(farm, settings).map((one) => one.language),
      },
      map_layers: layersFor(baseAddressOf(request, installation), layers),
      time: String(clock()),
      edition: installation.edition,
      catalogue,
      version,
    }
  })
}

const page = 'app.html'
const isNameOfFile = /^[^/]+\.(?:js|css|html|svg|png|webmanifest|json|map|ico|txt)$/

/** The app: its files, and its page under every address that it shows something at. Anybody may have them; what they show is asked for. */
function addApp(app: FastifyInstance, installation: Installation): void {
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
const layersFor = (base: string, layers: readonly MapLayer[]): readonly MapLayer[] =>
  layers.filter(({ url }) => url.startsWith('https:') || base.startsWith('http:'))
