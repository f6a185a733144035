import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ServerSettings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { databaseBytes } from '../../storage/compacting.ts'
import type { Database } from '../../storage/database.ts'
import { countByType } from '../../storage/records/record-lookup.ts'
import { readLastBackup } from '../../storage/settings.ts'
import { messageOf } from '../../storage/sql/errors.ts'
import { trashHoldings } from '../../storage/trash-rows.ts'
import type { OpenStreams } from '../http/concurrency.ts'
import { answerAs, type DoorDescription, operation, type Paths, responseRef } from '../http/openapi.ts'
import { type FarmFigures, Metrics, measureRequests } from './metrics.ts'
import { Readiness, type ReadinessProblem } from './readiness.ts'

/** Liveness, readiness and metrics of the server. */
export function healthDoor(app: FastifyInstance, installation: Installation, streams: OpenStreams): void {
  const readiness = new Readiness(installation)
  const metrics = new Metrics()
  measureRequests(app, metrics, readiness)
  let port: Server | undefined
  app.addHook('onClose', async () => {
    metrics.stop()
    port?.close()
    port?.closeAllConnections()
  })

  const answers = {
    '/healthz': async () => plainAnswer(200, 'alive'),
    '/readyz': async () => readinessAnswer(await readiness.problems()),
  }
  for (const [path, answer] of Object.entries(answers)) {
    app.get(path, async (request, reply) => {
      const { status, type, body, bug, trouble } = await answer()
      Object.assign(request, { bug, trouble })
      return reply
        .code(status)
        .headers({ 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' })
        .send(body)
    })
  }
  if (installation.settings.metricsPort === null) return
  const text = async () => {
    const isReady = (await readiness.problems()).length === 0
    const farm = isReady ? await farmFigures(installation.database).catch(() => null) : null
    return metricsAnswer(metrics.text({ isReady, openStreams: streams.count, farm }))
  }
  app.addHook('onReady', async () => {
    port = await openMetricsPort({ ...answers, '/metrics': text }, installation.settings)
  })
}

const farmFigures = (database: Database): Promise<FarmFigures> =>
  database.read(async (snapshot) => ({
    trash: await trashHoldings(snapshot),
    databaseBytes: await databaseBytes(snapshot, database),
    lastBackup: await readLastBackup(snapshot),
    records: await countByType(snapshot),
  }))

const plainAnswer = (status: number, ...lines: readonly string[]): Answer => ({
  status,
  type: 'text/plain',
  body: `${lines.join('\n')}\n`,
})

/** One line for each problem, which begins with the part that has it. */
const readinessAnswer = (problems: readonly ReadinessProblem[]): Answer =>
  problems.length === 0
    ? plainAnswer(200, 'ready')
    : {
        ...plainAnswer(503, ...problems.map(({ what }) => what)),
        bug: problems.find(({ bug }) => bug !== undefined)?.bug,
        trouble: problems.find(({ trouble }) => trouble !== undefined)?.trouble,
      }

const metricsAnswer = (body: string): Answer => ({ status: 200, type: 'text/plain; version=0.0.4', body })

/** Answers by address. */
type Answers = Readonly<Record<string, () => Promise<Answer>>>

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly bug?: unknown
  readonly trouble?: unknown
}

/** A small server of its own, so that nothing of it can be reached through the public port. */
async function openMetricsPort(answers: Answers, settings: ServerSettings): Promise<Server> {
  const { metricsHost: host, metricsPort: port } = settings
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (answer === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) return send(response, notHere(answers))
    answer().then(
      (found) => send(response, found),
      () => send(response, { status: 500, type: 'text/plain', body: 'failed\n' }),
    )
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 10_000
  try {
    server.listen(port ?? 0, host)
    await once(server, 'listening')
  } catch (error) {
    throw new Refusal('busy', `The metrics port ${port} on ${host} cannot be opened: ${messageOf(error)}.`)
  }
  return server
}

const notHere = (answers: Answers): Answer => ({
  status: 404,
  type: 'text/plain',
  body: `${Object.keys(answers).join('\n')}\n`,
})

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
}

const lines = { type: 'string' }

/** For monitoring; metrics have a port of their own. */
const healthPaths: Paths = {
  '/healthz': {
    get: operation({
      id: 'readHealth',
      summary: 'Whether the process answers at all',
      tag: 'health',
      responses: { '200': answerAs('It does', 'text/plain', lines), '4XX': responseRef('Problem') },
      security: [],
    }),
  },
  '/readyz': {
    get: operation({
      id: 'readReadiness',
      summary: 'Whether requests should be sent here',
      tag: 'health',
      responses: {
        '200': answerAs('They should', 'text/plain', lines),
        '503': answerAs('They should not: a line for each reason, such as disk: or database:', 'text/plain', lines),
        '4XX': responseRef('Problem'),
      },
      security: [],
    }),
  },
}

export const healthDescription: DoorDescription = {
  tags: [{ name: 'health', description: 'For whoever watches over the server' }],
  paths: healthPaths,
}
