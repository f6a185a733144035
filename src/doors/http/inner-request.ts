import { request as ask, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Installation } from '../../access/installation.ts'
import { Stopwatch } from '../../storage/read-budget.ts'
import { markInner } from './admission.ts'
import { shareBudget } from './answer-budget.ts'

/** A request that is made on behalf of another one. */
interface InnerRequest {
  readonly method: string
  /** A path, with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

interface InnerAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Null where it has more bytes than there is room for. */
  readonly body: string | null
}

/** The request that an inner one is part of. */
interface OuterRequest {
  readonly request: FastifyRequest
  readonly installation: Installation
  /** Bytes of the answer that are kept. */
  readonly room: number
}

/** Milliseconds of processor time. The stopwatch runs on while others are answered, which is not to count. */
const mostBesideReading = 5

/** Headers that an inner request inherits: credentials, and the address of this server. */
const handedDown = [
  'authorization',
  'cookie',
  'host',
  'user-agent',
  'x-csrf-token',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** Properties of the connection, which an inner request does not have. */
const ofTheConnection = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * Asks this server itself, within the process: the bytes go through the same parser, limits and log as everybody's. Of the
 * answer no more than `room` bytes are kept.
 */
export async function askWithin(
  { request: outer, installation, room }: OuterRequest,
  inner: InnerRequest,
): Promise<InnerAnswer> {
  const [here, there] = duplexPair()
  const { remoteAddress } = outer.socket
  markInner(there)
  const budget = shareBudget(outer, installation, there)
  const before = budget.left
  const stopwatch = new Stopwatch()
  outer.server.server.emit('connection', Object.assign(there, { remoteAddress }) as unknown as Socket)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = ask({
      method: inner.method,
      path: inner.url,
      headers: headersFor(outer, inner),
      createConnection: () => here,
    })
    sent.on('response', resolve).on('error', reject)
    sent.end(inner.body ?? undefined)
  })
  const body = await keptOf(answer, room)
  const read = before - budget.left
  budget.spend(Math.max(0, Math.min(mostBesideReading, stopwatch.lap() - read)))
  return { status: answer.statusCode ?? 500, headers: answer.headers, body }
}

function headersFor(outer: FastifyRequest, { headers, body }: InnerRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => !handedDown.includes(name) && !ofTheConnection.includes(name))
  const down = handedDown.flatMap((name) => {
    const value = outer.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const length = body === null ? [] : [['content-length', String(Buffer.byteLength(body))] as const]
  return Object.fromEntries([...own, ...down, ...length, ['connection', 'close']])
}

async function keptOf(answer: IncomingMessage, room: number): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of answer) {
    bytes += piece.length
    if (bytes <= room) pieces.push(piece)
  }
  return bytes <= room ? Buffer.concat(pieces).toString() : null
}
