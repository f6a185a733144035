import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { ReachabilityState } from '../../storage/database.ts'
import { databaseWords } from '../../storage/sql/errors.ts'
import { pathOf } from './negotiation.ts'

/** On the response itself: a WeakMap of all responses makes work for the garbage collector. */
const ends = Symbol('ends')
type EndingResponse = FastifyReply['raw'] & { [ends]?: (() => void)[] | undefined }

/** Calls `end` when the answer has come to its end, whole or cut off, or is one that has none (see below). */
export function whileInFlight(reply: FastifyReply, end: () => void): void {
  const response: EndingResponse = reply.raw
  if (response[ends] !== undefined) {
    response[ends].push(end)
    return
  }
  response[ends] = [end]
  // Not every answer is sent in the end, but every one is closed.
  response.once('close', () => noLongerInFlight(reply))
}

/** From here on the request no longer counts as in flight, though its answer continues. */
export function noLongerInFlight(reply: FastifyReply): void {
  const response: EndingResponse = reply.raw
  const known = response[ends] ?? []
  response[ends] = undefined
  for (const end of known) end()
}

/** The longest wait for writes that came earlier; afterwards a refusal is an answer like any other. */
const patienceMilliseconds = 10_000

interface ArrivedWrite {
  readonly request: FastifyRequest
  readonly done: Promise<void>
  readonly leave: () => void
}

/** By server, in order of arrival. */
const arrived = new WeakMap<object, Map<FastifyRequest, ArrivedWrite>>()

const arrivedAt = ({ server }: FastifyRequest): Map<FastifyRequest, ArrivedWrite> => {
  const known = arrived.get(server.server) ?? new Map<FastifyRequest, ArrivedWrite>()
  arrived.set(server.server, known)
  return known
}

/** Notes that a write of records has come: from here on until it is carried out or answered, later ones may wait for it. */
export function noteWrite(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.dryRun === undefined) return
  let settle = () => {}
  const done = new Promise<void>((resolve) => {
    settle = resolve
  })
  const writes = arrivedAt(request)
  const leave = () => {
    writes.delete(request)
    settle()
  }
  writes.set(request, { request, done, leave })
  whileInFlight(reply, leave)
}

/**
 * Carries a write out. PostgreSQL runs transactions side by side, in no particular order: a record may be removed before what refers to it,
 * though that was asked for earlier. So a removal that others are in the way of waits for those who came before it and may
 * change them, and is then judged again.
 */
export async function inOrderOfArrival<T>(request: FastifyRequest, write: () => Promise<T>): Promise<T> {
  let patience: AbortSignal | undefined
  const writes = arrivedAt(request)
  try {
    for (;;) {
      // Writes that finished by now are visible to this attempt.
      const earlier = cameBefore(request, writes)
      try {
        return await write()
      } catch (error) {
        const inTheWay = error instanceof Refusal ? error.details.inTheWay : undefined
        const awaited = inTheWay === undefined ? [] : earlier.filter((one) => mayChange(one.request, inTheWay))
        patience ??= AbortSignal.timeout(patienceMilliseconds)
        if (awaited.length === 0 || patience.aborted || request.socket.destroyed) throw error
        await Promise.race([Promise.all(awaited.map(({ done }) => done)), once(patience, 'abort')])
      }
    }
  } finally {
    writes.get(request)?.leave()
  }
}

function cameBefore(request: FastifyRequest, writes: ReadonlyMap<FastifyRequest, ArrivedWrite>): ArrivedWrite[] {
  const earlier: ArrivedWrite[] = []
  for (const write of writes.values()) {
    if (write.request === request) break
    earlier.push(write)
  }
  return earlier
}

/** Batches, sheets and the like say in their bodies what they change. A body that is still on its way has not arrived. */
function mayChange({ params, raw }: FastifyRequest, names: ReadonlySet<string>): boolean {
  const { id, uuid } = params as Readonly<Record<string, string | undefined>>
  const name = id ?? uuid
  return raw.complete && (name === undefined || names.has(name.replace(/\.\w+$/, '').toLowerCase()))
}

export type WriteLine = (line: string) => void

let waiting = ''

/** The lines of one turn of the event loop are written together: each time costs as much as a small answer. */
export const toStandardOutput: WriteLine = (line) => {
  if (waiting === '') setImmediate(writeWaiting)
  waiting += line
}

function writeWaiting(): void {
  process.stdout.write(waiting)
  waiting = ''
}

process.once('exit', writeWaiting)

/** One line of JSON per request. Queries, bodies and headers can hold secrets: none of them is written. */
export function requestLine(request: FastifyRequest, reply: FastifyReply, clock: Clock): string {
  const length = reply.getHeader('content-length')
  const fault = request.bug ?? request.trouble
  const line = {
    time: clock(),
    id: request.id,
    address: request.address,
    login: request.login ?? undefined,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: length === undefined ? undefined : Number(length),
    uid: request.uid ?? undefined,
    bug: request.bug === undefined ? undefined : stackOf(request.bug),
    database: fault === undefined ? undefined : databaseWords(fault),
  }
  return `${JSON.stringify(line)}\n`
}

export function abortedLine(request: FastifyRequest, clock: Clock): string {
  const { id, address, method } = request
  return `${JSON.stringify({ time: clock(), id, address, method, path: pathOf(request), aborted: true })}\n`
}

interface BrokenRequest {
  readonly error: Error & { code?: string }
  readonly status: number
  readonly address: string | undefined
}

export function brokenLine({ error, status, address }: BrokenRequest, clock: Clock): string {
  return `${JSON.stringify({ time: clock(), address, status, broken: error.code ?? error.name })}\n`
}

/** Once when the database is lost and once when it is back, however many requests meet it. */
export function databaseLine({ isBack, code, message }: ReachabilityState, clock: Clock): string {
  const database = isBack ? { state: 'back' } : { state: 'lost', code, message }
  return `${JSON.stringify({ time: clock(), database })}\n`
}

function stackOf(bug: unknown): string {
  if (!(bug instanceof Error)) return `thrown: ${typeof bug}`
  const stack = bug.stack ?? bug.message
  return stack.replace(bug.message, () => databaseWords(bug)?.message ?? bug.message)
}
