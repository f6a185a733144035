import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { newest } from '../../storage/migrations/migrations.ts'
import type { Holdings } from '../../storage/trash-rows.ts'
import { commit, version } from '../../version.ts'
import { whileInFlight } from '../http/in-flight.ts'
import type { Readiness } from './readiness.ts'

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Counts what this process answers, for the Prometheus text format (version 0.0.4). */
export class Metrics {
  readonly #byClass = new Map<string, number>(['1xx', '2xx', '3xx', '4xx', '5xx'].map((name) => [name, 0]))
  readonly #buckets = bounds.map(() => 0)
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  #count = 0
  #seconds = 0
  #sentAway = 0
  #inFlight = 0
  readonly #logins = { failed: 0, refused: 0 }

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

  loginFailed(how: 'failed' | 'refused'): void {
    this.#logins[how] += 1
  }

  text({ isReady, openStreams, farm }: MetricsState): string {
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
      ...described('furrow_failed_logins_total', 'counter', 'Logins that failed, or were refused after too many'),
      ...Object.entries(this.#logins).map(([how, count]) => `furrow_failed_logins_total{how="${how}"} ${count}`),
      ...(farm === null ? [] : farmLines(farm)),
      ...described('furrow_build_info', 'gauge', 'What is running'),
      `furrow_build_info{version="${version}",commit="${commit}",tables="${newest}"} 1`,
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
  readonly farm: FarmFigures | null
}

export interface FarmFigures {
  readonly trash: Holdings
  readonly databaseBytes: number
  /** Null where none was ever made. */
  readonly lastBackup: number | null
  readonly records: ReadonlyMap<string, number>
}

const farmLines = ({ trash, databaseBytes, lastBackup, records }: FarmFigures): string[] => [
  ...single('furrow_trash_records', 'gauge', trash.records),
  ...single('furrow_trash_bytes', 'gauge', trash.bytes),
  ...single('furrow_database_bytes', 'gauge', databaseBytes),
  ...(lastBackup === null ? [] : single('furrow_last_backup_timestamp_seconds', 'gauge', lastBackup)),
  ...described('furrow_records', 'gauge', 'Records by type'),
  ...[...records].map(([type, count]) => `furrow_records{type="${type}"} ${count}`),
]

type Kind = 'counter' | 'gauge' | 'histogram'

const help: Readonly<Record<string, string>> = {
  furrow_requests_in_flight: 'Requests that are being answered',
  furrow_event_streams: 'Listeners to changes, which do not count among the requests in flight',
  furrow_sent_away_total:
    'Requests that were asked to come back later (503), because of a crowd, a busy database or a full disk',
  furrow_ready: 'Whether /readyz says yes',
  furrow_trash_records: 'Removed records that can come back',
  furrow_database_bytes: 'Room that the database takes on its disk',
  furrow_last_backup_timestamp_seconds: 'When the last backup was begun that succeeded',
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

/** Counts every request and its answer; failures of the server make it ask itself whether it is ready. */
export function measureRequests(app: FastifyInstance, metrics: Metrics, readiness: Readiness): void {
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
}

/** The duration of an event stream is not a response time. */
const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('text/event-stream')
