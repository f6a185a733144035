import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { readFarmSettings, readMapLayers } from '../../storage/settings.ts'
import { deliver, tagged } from '../http/answers/ready-answer.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { pathOf } from '../http/negotiation.ts'
import { answerWithPage } from '../http/page.ts'
import { answerWithFile, readAppFile } from './app-files.ts'
import { layersFor, originsOf, policyOfApp, policyOfWorker } from './app-policy.ts'

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
  return deliver(reply, tagged(request, { status: 200, headers, body }))
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
  return deliver(reply, tagged(request, { status: 200, headers, body }))
}
