import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { ReachabilityState } from '../../storage/database.ts'
import { databaseWords } from '../../storage/sql/database-words.ts'
import { pathOf } from './negotiation.ts'

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
    database: databaseWords(request.bug) ?? databaseWords(request.trouble),
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
