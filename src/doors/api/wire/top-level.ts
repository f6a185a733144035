import type { FastifyRequest } from 'fastify'
import { type ReadyAnswer, tagged } from '../../http/answers/ready-answer.ts'

export const mediaType = 'application/vnd.api+json'

/** What every document says of the version that it is written in. */
export const jsonapi = {
  version: '1.0',
  meta: { links: { self: { href: 'http://jsonapi.org/format/1.0/' } } },
} as const

/** A document, of which the members beside `jsonapi` are given; whoever has it already is told so. */
export const taggedDocument = (request: FastifyRequest, members: object): ReadyAnswer =>
  taggedText(request, JSON.stringify({ jsonapi, ...members }))

/** The same of a document that is a text already. */
export const taggedText = (request: FastifyRequest, text: string): ReadyAnswer =>
  tagged(request, {
    status: 200,
    headers: { 'content-type': mediaType },
    // As bytes: to a text the HTTP library would add a charset, which JSON:API forbids.
    body: Buffer.from(text),
  })
