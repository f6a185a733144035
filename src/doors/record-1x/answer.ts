import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Format, formatOfAnswer, formatOfRead } from '../http/negotiation.ts'
import { xmlOfList, xmlOfTree } from '../http/xml/write-xml.ts'

/** One thing as JSON, under the name that XML gives its root. */
export interface One {
  readonly root: string
  readonly json: string
}

export function sendOne(request: FastifyRequest, reply: FastifyReply, { root, json }: One): FastifyReply {
  const format = request.method === 'GET' || request.method === 'HEAD' ? formatOfRead(request) : formatOfAnswer(request)
  return send(reply, format, format === 'xml' ? xmlOfTree(root, JSON.parse(json)) : json)
}

/** The links of a page of a list. */
export interface Links {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly prev?: string
  readonly next?: string
}

/** A page of a list: its links, and each item as JSON, under the name that XML gives it. */
export interface Leaf {
  readonly links: Links
  readonly item: string
  readonly list: readonly string[]
}

export function sendList(request: FastifyRequest, reply: FastifyReply, { links, item, list }: Leaf): FastifyReply {
  const format = formatOfRead(request)
  const json = `${JSON.stringify(links).slice(0, -1)},"list":[${list.join()}]}`
  return send(reply, format, format === 'xml' ? xmlOfList(JSON.parse(json), item) : json)
}

function send(reply: FastifyReply, format: Format, body: string): FastifyReply {
  return reply
    .header('content-type', format === 'xml' ? 'application/xml; charset=utf-8' : 'application/json')
    .send(body)
}
