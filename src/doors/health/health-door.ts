import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import type { ServerSettings } from '../../config.ts'
import { Refusal } from '../../refusal.ts'
import { databaseBytes } from '../../storage/compacting.ts'
import type { Database } from '../../storage/database.ts'
import { countByType } from '../../storage/records/record-lookup.ts'
import { readLastBackup } from '../../storage/settings.ts'
import { messageOf } from '../../storage/sql/errors.ts'
import { type Holdings, trashHoldings } from '../../storage/trash-rows.ts'
import type { OpenStreams } from '../http/concurrency.ts'
import { whileInFlight } from '../http/in-flight.ts'
import { answerAs, type DoorDescription, operation, type Paths, responseRef } from '../http/openapi.ts'
import { type FarmFigures, Metrics } from './metrics.ts'
import { Readiness, type ReadinessProblem } from './readiness.ts'

/** Liveness, readiness and metrics of the server. */
export function healthDoor(app: FastifyInstance, installation: Installation, streams: OpenStreams): void {
  const readiness = new Readiness(installation)
  const metrics = new Metrics()
  app.addHook('onRequest', (_request, reply, done) => {
    whileInFlight(reply, metrics.begin())
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // A no of /readyz is what was asked for, and tells nothing new.
    if (request.url === '/readyz' || isEventStream(reply)) return done()
    metrics.answered(reply.statusCode, reply.elapsedTime / 1000)
    if (request.login !== null) metrics.loginFailed(request.login)
    if (reply.statusCode >= 500) readiness.noteFailure()
    done()
  })
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

/** How long somebody has listened is not how long an answer took. */
const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('text/event-stream')

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

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Counts what this process answers, for the Prometheus text format (version 0.0.4). */
class Metrics {
  readonly #byClass = new Map<string, number>(['1xx', '2xx', '3xx', '4xx', '5xx'].map((name) => [name, 0]))
  readonly #buckets = bounds.map(() => 0)
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  #count = 0
  #seconds = 0
  #sentAway = 0
  #inFlight = 0

  constructor() {
    this.#delay.enable()
  }

  /** Answers what to do when it has come to its end. */
  begin(): () => void {
    this.#inFlight += 1
    return this.#end
  }

  readonly #end = (): void => {
    this.#inFlight -= 1
  }

  answered(status: number, seconds: number): void {
    const name = `${Math.floor(status / 100)}xx`
    this.#byClass.set(name, (this.#byClass.get(name) ?? 0) + 1)
    const bucket = bounds.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
    this.#count += 1
    this.#seconds += seconds
    if (status === 503) this.#sentAway += 1
  }

  stop(): void {
    this.#delay.disable()
  }

  text({ isReady, openStreams, trash }: MetricsState): string {
    const { rss, heapUsed, external } = process.memoryUsage()
    const lines = [
      ...described('furrow_requests_total', 'counter', 'Requests by the class of their answer'),
      ...[...this.#byClass].map(([name, count]) => `furrow_requests_total{class="${name}"} ${count}`),
      ...described('furrow_request_duration_seconds', 'histogram', 'How long requests took'),
      ...this.#histogram(),
      ...single('furrow_requests_in_flight', 'gauge', this.#inFlight),
      ...single('furrow_event_streams', 'gauge', openStreams),
      ...single('furrow_sent_away_total', 'counter', this.#sentAway),
      ...single('furrow_ready', 'gauge', isReady ? 1 : 0),
      ...(trash === null
        ? []
        : [
            ...single('furrow_trash_records', 'gauge', trash.records),
            ...single('furrow_trash_bytes', 'gauge', trash.bytes),
          ]),
      ...single('furrow_event_loop_delay_seconds', 'gauge', this.#delay.percentile(99) / 1e9),
      ...single('furrow_heap_bytes', 'gauge', heapUsed),
      ...single('furrow_external_memory_bytes', 'gauge', external),
      ...single('process_resident_memory_bytes', 'gauge', rss),
      ...single('process_cpu_seconds_total', 'counter', cpuSeconds()),
      ...single('process_start_time_seconds', 'gauge', Math.floor(performance.timeOrigin / 1000)),
    ]
    return `${lines.join('\n')}\n`
  }

  #histogram(): string[] {
    const name = 'furrow_request_duration_seconds'
    let below = 0
    const buckets = bounds.map((bound, place) => {
      below += this.#buckets[place] ?? 0
      return `${name}_bucket{le="${bound}"} ${below}`
    })
    return [
      ...buckets,
      `${name}_bucket{le="+Inf"} ${this.#count}`,
      `${name}_sum ${this.#seconds}`,
      `${name}_count ${this.#count}`,
    ]
  }
}

/** Figures that the rest of the server knows. */
interface MetricsState {
  readonly isReady: boolean
  readonly openStreams: number
  /** Null while the database cannot be asked. */
  readonly trash: Holdings | null
}

type Kind = 'counter' | 'gauge' | 'histogram'

const help: Readonly<Record<string, string>> = {
  furrow_requests_in_flight: 'Requests that are being answered',
  furrow_event_streams: 'Listeners to changes, which do not count among the requests in flight',
  furrow_sent_away_total:
    'Requests that were asked to come back later (503), because of a crowd, a busy database or a full disk',
  furrow_ready: 'Whether /readyz says yes',
  furrow_trash_records: 'Removed records that can come back',
  furrow_trash_bytes: 'Bytes of files that no record names any more, kept for those that can come back',
  furrow_event_loop_delay_seconds: 'How late this process is, 99th percentile since its start',
  furrow_heap_bytes: 'Memory used by values',
  furrow_external_memory_bytes: 'Memory used by bytes outside of the heap',
  process_resident_memory_bytes: 'Memory of the process',
  process_cpu_seconds_total: 'Processor time of the process',
  process_start_time_seconds: 'When the process started',
}

const described = (name: string, kind: Kind, meaning: string): string[] => [
  `# HELP ${name} ${meaning}`,
  `# TYPE ${name} ${kind}`,
]

const single = (name: string, kind: Kind, value: number): string[] => [
  ...described(name, kind, help[name] ?? name),
  `${name} ${value}`,
]

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
