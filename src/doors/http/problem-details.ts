import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inKibibytes, inMebibytes } from '../../fields/byte-size.ts'
import { decodedPart } from '../../formats/query-string.ts'
import { textOf } from '../../formats/xml/write-xml.ts'
import { limits } from '../../limits.ts'
import { Refusal, type RefusalName, refusals } from '../../refusal.ts'
import type { AnswerFormat } from '../../wire-1x/spelling.ts'
import { formatOfAnswer, pathOf } from './negotiation.ts'
import { securityHeaders, setSecurityHeaders } from './origin.ts'

/** The one place where what was thrown becomes an answer. Sets status and headers; gives the body for the caller to send. */
export function answerTo(thrown: unknown, request: FastifyRequest, reply: FastifyReply): string | Buffer {
  const refusal = refusalOf(thrown, request)
  if (refusal === null) request.bug = thrown
  else request.trouble = refusal.cause
  const problem = problemFor(request, refusal)
  setSecurityHeaders(reply, request.id)
  // The rest of a body that is too large is read and dropped, or the caller would see a reset connection and no reason.
  if (refusal?.refusal === 'too-large' || refusal?.refusal === 'busy') reply.removeHeader('connection')
  reply.code(problem.status).headers(problem.headers)
  return problem.body
}

function problemFor(request: FastifyRequest, refusal: Refusal | null): ProblemResponse {
  const form = formOf(request)
  if (form !== undefined) return refusal === null ? form.spellBug(request.id) : form.spell(refusal)
  const format = formatOfAnswer(request)
  return refusal === null ? problemOfBug(request.id, format) : problemOf(refusal, format)
}

/** The refusal that was thrown, or that a fault of the request found by the HTTP library amounts to; null is a bug. */
function refusalOf(thrown: unknown, { server }: FastifyRequest): Refusal | null {
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
      return bodyTooLarge(server.initialConfig.bodyLimit ?? limits.bodyBytes)
    case 414:
      return urlTooLong()
    case 415:
      return new Refusal('unsupported-media-type', 'The Content-Type header could not be understood.')
    default:
      return new Refusal('bad-request', thrown.message)
  }
}

export const bodyTooLarge = (bytes: number) =>
  new Refusal(
    'too-large',
    `A body may have ${inMebibytes(bytes)}, this one has more: send fewer records or files at a time.`,
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

/** A refusal as an HTTP response. */
export interface ProblemResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

interface ProblemDetails extends ProblemResponse {
  readonly body: string
}

export const typeOfRefusal = (name: RefusalName): string => `urn:furrow:refusal:${name}`
export const typeOfBug = 'urn:furrow:bug'

/** A refusal as RFC 9457 problem details. */
export function problemOf(refusal: Refusal, format: AnswerFormat): ProblemDetails {
  const { title, status } = refusals[refusal.refusal]
  const errors = refusal.details.faults ?? []
  const members = {
    type: typeOfRefusal(refusal.refusal),
    title,
    status,
    detail: refusal.message,
    ...refusal.details.members,
  }
  return spelled(errors.length === 0 ? members : { ...members, errors }, format, headersOf(refusal))
}

/** A fault of ours: the caller learns the number under which the log knows it, and no more. */
function problemOfBug(requestId: string, format: AnswerFormat): ProblemDetails {
  const members = {
    type: typeOfBug,
    title: 'Something went wrong here',
    status: 500,
    detail: 'It is a fault of this server: its log has more under this request_id.',
    request_id: requestId,
  }
  return spelled(members, format, {})
}

/** The headers of a refusal, in any format. */
export function headersOf({ refusal, status, details }: Refusal): Record<string, string> {
  const headers: Record<string, string> = {}
  if (refusal === 'unauthenticated' || details.challenge) {
    const parameters = Object.entries({ realm: 'farm', ...details.challenge })
    headers['www-authenticate'] = `Bearer ${parameters.map(([name, value]) => `${name}=${quoted(value)}`).join(', ')}`
  }
  if (details.allow) headers.allow = details.allow.join(', ')
  if (status === 429 || status === 503) headers['retry-after'] = String(details.retryAfterSeconds ?? 1)
  return headers
}

/** RFC 6750 section 3 leaves quotes, backslashes and everything beyond ASCII out of these values. */
const quoted = (value: string) => `"${value.replace(/[^\x20-\x7e]|["\\]/g, '?')}"`

function spelled(
  members: ProblemMembers,
  format: AnswerFormat,
  headers: Readonly<Record<string, string>>,
): ProblemDetails {
  const isXml = format === 'xml'
  return {
    status: members.status,
    headers: {
      ...headers,
      'content-type': isXml ? 'application/problem+xml; charset=utf-8' : 'application/problem+json; charset=utf-8',
    },
    body: isXml ? problemXml(members) : JSON.stringify(members),
  }
}

type ProblemMembers = Readonly<Record<string, unknown>> & { readonly status: number }

/** RFC 7807 appendix A: members are elements, the items of a list are called `i`. */
function problemXml(members: ProblemMembers): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807">${contentOf(members)}</problem>`
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `<i>${contentOf(item)}</i>`).join('')
  if (typeof value !== 'object' || value === null) return textOf(String(value))
  return Object.entries(value)
    .map(([name, member]) => `<${name}>${contentOf(member)}</${name}>`)
    .join('')
}

/** A door's format of refusals, also for unknown addresses below it. */
export interface RefusalForm {
  readonly paths: RegExp
  readonly spell: (refusal: Refusal) => ProblemResponse
  readonly spellBug: (requestId: string) => ProblemResponse
}

declare module 'fastify' {
  interface FastifyInstance {
    refusalForms?: readonly RefusalForm[]
  }
}

/** Undefined: problem details, or a page where somebody prefers one. */
export function formOf(request: FastifyRequest): RefusalForm | undefined {
  const path = pathOf(request)
  const decoded = decodedPart(path) ?? path
  return request.server.refusalForms?.find(({ paths }) => paths.test(decoded))
}
