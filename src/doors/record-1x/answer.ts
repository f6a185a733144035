import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Format, formatOfAnswer, formatOfRead } from '../http/negotiation.ts'
import { xmlAroundItems, xmlOfItem, xmlOfTree } from '../http/xml/write-xml.ts'
import { isKnown, tagOfBytes } from './versions.ts'

/** One thing as JSON, under the name that XML gives its root. */
export interface One {
  readonly root: string
  readonly json: string | Buffer
}

export function sendOne(request: FastifyRequest, reply: FastifyReply, one: One): FastifyReply {
  if (isRead(request)) return deliver(reply, tagged(request, answerWith(formatOfRead(request), one)))
  const { headers, body } = answerWith(formatOfAnswer(request), one)
  return reply.headers(headers).send(body)
}

const isRead = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD'

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
  return deliver(reply, tagged(request, answerWithList(formatOfRead(request), leaf)))
}

export function answerWithList(format: Format, leaf: Leaf): ReadyAnswer {
  return ready(format, Buffer.concat(format === 'xml' ? piecesOfXml(leaf) : piecesOfJson(leaf)))
}

function piecesOfJson({ links, list }: Leaf): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(links).slice(0, -1)},"list":[`)]
  for (const json of list) pieces.push(json, comma)
  pieces[Math.max(pieces.length - 1, 1)] = end
  return pieces
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

function piecesOfXml({ links, item, list }: Leaf): readonly Buffer[] {
  const { before, behind } = xmlAroundItems(links)
  return [Buffer.from(before), ...list.map((json) => xmlOf(item, json)), Buffer.from(behind)]
}

/** Records are often the very same bytes as the last time: so is their XML. Kept as text it would be all its pieces. */
const xmlBefore = new WeakMap<Buffer, Buffer>()

function xmlOf(item: string, json: Buffer): Buffer {
  const before = xmlBefore.get(json)
  if (before !== undefined) return before
  const xml = Buffer.from(xmlOfItem(item, JSON.parse(json.toString())))
  xmlBefore.set(json, xml)
  return xml
}

const ready = (format: Format, body: string | Buffer): ReadyAnswer => ({
  status: 200,
  headers: { 'content-type': `application/${format}; charset=utf-8` },
  body,
})
