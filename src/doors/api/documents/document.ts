import type { FastifyRequest } from 'fastify'
import { type QueryEntry, readQuery } from '../../../formats/query-string.ts'
import { type ReadyAnswer, withEtag } from '../../http/record-answers.ts'
import type { PageSlice } from '../query-parameters.ts'

export const mediaType = 'application/vnd.api+json'

export const jsonapi = {
  version: '1.0',
  meta: { links: { self: { href: 'http://jsonapi.org/format/1.0/' } } },
} as const

/** A document with an ETag, from its members beside `jsonapi`; answers 304 if the client has it. */
export const taggedDocument = (request: FastifyRequest, members: object): ReadyAnswer =>
  taggedText(request, JSON.stringify({ jsonapi, ...members }))

/** The same for a document that is already text. */
export const taggedText = (request: FastifyRequest, text: string): ReadyAnswer =>
  withEtag(request, {
    status: 200,
    headers: { 'content-type': mediaType },
    // Sent as bytes: the HTTP library adds a charset to text, which JSON:API forbids.
    body: Buffer.from(text),
  })

interface Link {
  readonly href: string
}

/** Links of a page. Clients follow `next` until it is missing, and may append to it. */
interface PageLinks {
  readonly self: Link
  readonly next?: Link
  readonly first?: Link
  readonly prev?: Link
}

/** A page of the list at an address. */
interface ShownPage extends PageSlice {
  readonly hasMore: boolean
}

/** Absolute links of a page, with all other parameters of the request. */
export function pageLinks(base: string, rawUrl: string, { offset, limit, hasMore }: ShownPage): PageLinks {
  const others = readQuery(rawUrl).filter(({ name }) => name !== 'page')
  const at = (from: number): Link => ({
    href: addressWith(base, rawUrl, [...others, pageEntry('offset', from), pageEntry('limit', limit)]),
  })
  return {
    self: selfLink(base, rawUrl),
    ...(hasMore ? { next: at(offset + limit) } : {}),
    ...(offset > 0 ? { first: at(0), prev: at(Math.max(0, offset - limit)) } : {}),
  }
}

/** The absolute address of the request. */
const selfLink = (base: string, rawUrl: string): Link => ({ href: addressWith(base, rawUrl, readQuery(rawUrl)) })

const pageEntry = (inside: string, value: number): QueryEntry => ({
  name: 'page',
  brackets: [inside],
  value: String(value),
})

function addressWith(base: string, rawUrl: string, entries: readonly QueryEntry[]): string {
  const [path = ''] = rawUrl.split('?', 1)
  const query = entries.map(
    ({ name, brackets, value }) => `${spelledParameter(name, brackets)}=${encodeURIComponent(value)}`,
  )
  return [base + path.replace(/\/$/, ''), ...(query.length === 0 ? [] : [query.join('&')])].join('?')
}

const spelledParameter = (name: string, brackets: readonly string[]): string =>
  encodeURIComponent(name + brackets.map((inside) => `[${inside}]`).join(''))
