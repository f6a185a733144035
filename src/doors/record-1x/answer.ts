import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Format, formatOfAnswer, formatOfRead } from '../http/negotiation.ts'
import { xmlOfItem, xmlOfList, xmlOfTree } from '../http/xml/write-xml.ts'

/** One thing as JSON, under the name that XML gives its root. */
export interface One {
  readonly root: string
  readonly json: string | Buffer
}

export function sendOne(request: FastifyRequest, reply: FastifyReply, one: One): FastifyReply {
  const { headers, body } = answerWith(isRead(request) ? formatOfRead(request) : formatOfAnswer(request), one)
  return reply.headers(headers).send(body)
}

const isRead = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD'

/** An answer that only has to be sent. */
export interface ReadyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export const answerWith = (format: Format, { root, json }: One): ReadyAnswer =>
  ready(format, format === 'xml' ? xmlOfTree(root, JSON.parse(json.toString())) : json)

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
  readonly list: readonly Buffer[]
}

export function sendList(request: FastifyRequest, reply: FastifyReply, leaf: Leaf): FastifyReply {
  const { headers, body } = answerWithList(formatOfRead(request), leaf)
  return reply.headers(headers).send(body)
}

export function answerWithList(format: Format, { links, item, list }: Leaf): ReadyAnswer {
  if (format === 'xml') return ready(format, xmlOfList(links, list.map((json) => xmlOf(item, json)).join('')))
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(links).slice(0, -1)},"list":[`)]
  for (const json of list) pieces.push(json, comma)
  pieces[Math.max(pieces.length - 1, 1)] = end
  return ready(format, Buffer.concat(pieces))
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

/** Records are often the very same bytes as the last time: so is their XML. */
const xmlBefore = new WeakMap<Buffer, string>()

function xmlOf(item: string, json: Buffer): string {
  const before = xmlBefore.get(json)
  if (before !== undefined) return before
  const xml = xmlOfItem(item, JSON.parse(json.toString()))
  xmlBefore.set(json, xml)
  return xml
}

const ready = (format: Format, body: string | Buffer): ReadyAnswer => ({
  status: 200,
  headers: { 'content-type': format === 'xml' ? 'application/xml; charset=utf-8' : 'application/json' },
  body,
})
