import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown, tagOfBytes } from './versions.ts'

/** An answer that only has to be sent. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** The answer under a tag of its bytes; whoever has those already is told so, and spared them. */
export function tagged(request: FastifyRequest, answer: ReadyAnswer): ReadyAnswer {
  const etag = tagOfBytes(answer.body)
  if (isKnown(request, etag)) return { status: 304, headers: { etag }, body: '' }
  return { ...answer, headers: { ...answer.headers, etag } }
}

/** Of an answer that has not changed nothing is told of its body: a cache would take that for the one it keeps (RFC 9111, 4.3.4). */
export const deliver = (reply: FastifyReply, { status, headers, body }: ReadyAnswer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(status === 304 ? undefined : body)
