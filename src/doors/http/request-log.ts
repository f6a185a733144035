import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { pathOf } from './negotiation.ts'

export type WriteLine = (line: string) => void

export const toStandardOutput: WriteLine = (line) => process.stdout.write(line)

/** One line of JSON per request. Queries, bodies and headers can hold secrets: none of them is written. */
export function requestLine(request: FastifyRequest, reply: FastifyReply, clock: Clock): string {
  const length = reply.getHeader('content-length')
  const line = {
    time: clock(),
    id: request.id,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: length === undefined ? undefined : Number(length),
    uid: request.uid ?? undefined,
    bug: request.bug === undefined ? undefined : stackOf(request.bug),
  }
  return `${JSON.stringify(line)}\n`
}

export function abortedLine(request: FastifyRequest, clock: Clock): string {
  return `${JSON.stringify({ time: clock(), id: request.id, method: request.method, path: pathOf(request), aborted: true })}\n`
}

export function brokenLine(error: Error & { code?: string }, status: number, clock: Clock): string {
  return `${JSON.stringify({ time: clock(), status, broken: error.code ?? error.name })}\n`
}

const stackOf = (bug: unknown) => (bug instanceof Error ? (bug.stack ?? bug.message) : `thrown: ${typeof bug}`)
