import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Format, formatOfAnswer, formatOfRead } from '../http/negotiation.ts'
import { xmlOfList, xmlOfTree } from '../http/xml/write-xml.ts'

/** An answer that is one thing, under the name that XML gives its root. */
export function sendOne(
  request: FastifyRequest,
  reply: FastifyReply,
  one: { readonly root: string; readonly tree: unknown },
): FastifyReply {
  const format = request.method === 'GET' || request.method === 'HEAD' ? formatOfRead(request) : formatOfAnswer(request)
  return send(reply, format, format === 'xml' ? xmlOfTree(one.root, one.tree) : JSON.stringify(one.tree))
}

export interface Envelope {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly prev?: string
  readonly next?: string
  readonly list: readonly unknown[]
}

export function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  list: { readonly item: string; readonly envelope: Envelope },
): FastifyReply {
  const format = formatOfRead(request)
  return send(reply, format, format === 'xml' ? xmlOfList(list.envelope, list.item) : JSON.stringify(list.envelope))
}

function send(reply: FastifyReply, format: Format, body: string): FastifyReply {
  return reply
    .header('content-type', format === 'xml' ? 'application/xml; charset=utf-8' : 'application/json')
    .send(body)
}
