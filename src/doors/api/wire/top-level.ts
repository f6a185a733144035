import type { FastifyReply } from 'fastify'

export const mediaType = 'application/vnd.api+json'

/** What every document says of the version that it is written in. */
export const jsonapi = {
  version: '1.0',
  meta: { links: { self: { href: 'http://jsonapi.org/format/1.0/' } } },
} as const

/** Sends a document, of which the members beside `jsonapi` are given. */
export const sendDocument = (reply: FastifyReply, members: object): FastifyReply =>
  // As bytes: to a text the HTTP library would add a charset, which JSON:API forbids.
  reply.header('content-type', mediaType).send(Buffer.from(JSON.stringify({ jsonapi, ...members })))
