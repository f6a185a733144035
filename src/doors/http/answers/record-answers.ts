import type { FastifyReply, FastifyRequest } from 'fastify'
import { xmlAroundItems, xmlOfItem, xmlOfTree } from '../../../formats/xml/write-xml.ts'
import { type Format, formatOfAnswer, formatOfRead } from '../negotiation.ts'
import { deliver, type ReadyAnswer, tagged } from './ready-answer.ts'

/** One thing as JSON, under the name that XML gives its root. */
interface WireRoot {
  readonly root: string
  readonly json: string | Buffer
}

export function sendOne(request: FastifyRequest, reply: FastifyReply, one: WireRoot): FastifyReply {
  if (isRead(request)) return deliver(reply, tagged(request, answerWith(formatOfRead(request), one)))
  const { headers, body } = answerWith(formatOfAnswer(request), one)
  return reply.headers(headers).send(body)
}

const isRead = (request: FastifyRequest): boolean => request.method === 'GET' || request.method === 'HEAD'

export const answerWith = (format: Format, { root, json }: WireRoot): ReadyAnswer =>
  ready(format, format === 'xml' ? xmlOfTree(root, JSON.parse(json.toString())) : json)

/** The links of a page of a list. */
export interface PageLinks1x {
  readonly self: string
  readonly first: string
  readonly last: string
  readonly prev?: string
  readonly next?: string
}

/** A page of a list: its links, and each item in the format of the answer. */
interface WireListPage {
  readonly links: PageLinks1x
  readonly list: readonly Buffer[]
}

/** The format of a list, and the name that XML gives its items. */
interface ItemFormat {
  readonly format: Format
  readonly item: string
}

/** An item of a list, which is at hand as JSON. */
export const itemIn = ({ format, item }: ItemFormat, json: Buffer): Buffer =>
  format === 'xml' ? Buffer.from(xmlOfItem(item, JSON.parse(json.toString()))) : json

export function answerWithList(format: Format, page: WireListPage): ReadyAnswer {
  return ready(format, Buffer.concat(format === 'xml' ? piecesOfXml(page) : piecesOfJson(page)))
}

function piecesOfJson({ links, list }: WireListPage): readonly Buffer[] {
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(links).slice(0, -1)},"list":[`)]
  for (const json of list) pieces.push(json, comma)
  pieces[Math.max(pieces.length - 1, 1)] = end
  return pieces
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

function piecesOfXml({ links, list }: WireListPage): readonly Buffer[] {
  const { before, behind } = xmlAroundItems(links)
  return [Buffer.from(before), ...list, Buffer.from(behind)]
}

const ready = (format: Format, body: string | Buffer): ReadyAnswer => ({
  status: 200,
  headers: { 'content-type': `application/${format}; charset=utf-8` },
  body,
})
