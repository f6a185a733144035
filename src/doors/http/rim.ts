import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inKibibytes, inMebibytes } from '../../fields/byte-size.ts'
import { limits } from '../../limits.ts'
import { Refusal, type RefusalName } from '../../refusal.ts'
import { formatOfAnswer } from './negotiation.ts'
import { type Problem, problemOf, problemOfBug } from './problem.ts'
import { formOf } from './refusal-form.ts'
import { securityHeaders, setSecurityHeaders } from './security-headers.ts'

/** The one place where what was thrown becomes an answer. Sets status and headers; gives the body for the caller to send. */
export function answerTo(thrown: unknown, request: FastifyRequest, reply: FastifyReply): string | Buffer {
  const refusal = refusalOf(thrown)
  if (refusal === null) request.bug = thrown
  else request.trouble = refusal.cause
  const problem = problemFor(request, refusal)
  setSecurityHeaders(reply, request.id)
  // The rest of a body that is too large is read and dropped, or the caller would see a reset connection and no reason.
  if (refusal?.refusal === 'too-large' || refusal?.refusal === 'busy') reply.removeHeader('connection')
  reply.code(problem.status).headers(problem.headers)
  return problem.body
}

function problemFor(request: FastifyRequest, refusal: Refusal | null): Problem {
  const form = formOf(request)
  if (form !== undefined) return refusal === null ? form.spellBug(request.id) : form.spell(refusal)
  const format = formatOfAnswer(request)
  return refusal === null ? problemOfBug(request.id, format) : problemOf(refusal, format)
}

/** The refusal that was thrown, or that a fault of the request found by the HTTP library amounts to; null is a bug. */
function refusalOf(thrown: unknown): Refusal | null {
  if (thrown instanceof Refusal) return thrown
  if (!(thrown instanceof Error)) return null
  const { code, statusCode } = thrown as Error & { code?: unknown; statusCode?: unknown }
  if (code === 'ECONNRESET') return new Refusal('bad-request', 'The connection broke before the whole body had come.')
  const isAboutRequest = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  if (typeof code !== 'string' || !code.startsWith('FST_') || !isAboutRequest) return null
  if (code === 'FST_ERR_BAD_URL')
    return new Refusal('bad-request', 'The path of the address is not properly percent-encoded UTF-8.')
  switch (statusCode) {
    case 413:
      return bodyTooLarge()
    case 414:
      return urlTooLong()
    case 415:
      return new Refusal('unsupported-media-type', 'The Content-Type header could not be understood.')
    default:
      return new Refusal('bad-request', thrown.message)
  }
}

export const bodyTooLarge = () =>
  new Refusal(
    'too-large',
    `A body may have ${inMebibytes(limits.bodyBytes)}, this one has more: send fewer records or files at a time.`,
  )

export const urlTooLong = () =>
  new Refusal(
    'uri-too-long',
    `An address may have ${inKibibytes(limits.urlBytes)}, this one has more: ask with fewer values at a time.`,
  )

/** Answers a caller whose bytes never became a request. Gives the status for the log. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): number {
  const [name, detail] =
    brokenRequests[error.code ?? ''] ?? (['bad-request', 'This is not a request that HTTP/1.1 knows.'] as const)
  const { status, headers, body } = problemOf(new Refusal(name, detail), 'json')
  if (!socket.writable) return status
  const lines = Object.entries({
    ...securityHeaders,
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`, () => socket.destroy())
  return status
}

const brokenRequests: Readonly<Record<string, readonly [RefusalName, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    `Address and headers may have ${inKibibytes(limits.headerBytes)} together.`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'too-large',
    `The extensions of a chunk may have ${inKibibytes(limits.headerBytes)}.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'timeout',
    `Headers must have come after ${limits.headersMs / 1000} seconds, and the whole request after ${limits.requestMs / 1000}.`,
  ],
}
