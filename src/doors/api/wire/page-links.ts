import { type QueryEntry, readQuery } from '../../http/query.ts'
import type { PageAsked } from '../query/page.ts'

export interface Link {
  readonly href: string
}

/** The links of a page. Clients follow `next` until it is missing, and may append to it. */
export interface PageLinks {
  readonly self: Link
  readonly next?: Link
  readonly first?: Link
  readonly prev?: Link
}

/** A page of the list at an address. */
export interface ShownPage extends PageAsked {
  readonly hasMore: boolean
}

/** The links of a page: absolute, and with every other parameter that the caller has given. */
export function pageLinks(base: string, rawUrl: string, { offset, limit, hasMore }: ShownPage): PageLinks {
  const others = readQuery(rawUrl).filter(({ name }) => name !== 'page')
  const at = (from: number): Link => ({
    href: addressOf(base, rawUrl, [...others, pageEntry('offset', from), pageEntry('limit', limit)]),
  })
  return {
    self: selfLink(base, rawUrl),
    ...(hasMore ? { next: at(offset + limit) } : {}),
    ...(offset > 0 ? { first: at(0), prev: at(Math.max(0, offset - limit)) } : {}),
  }
}

/** The address that was asked for, absolute. */
export const selfLink = (base: string, rawUrl: string): Link => ({ href: addressOf(base, rawUrl, readQuery(rawUrl)) })

const pageEntry = (inside: string, value: number): QueryEntry => ({
  name: 'page',
  brackets: [inside],
  value: String(value),
})

function addressOf(base: string, rawUrl: string, entries: readonly QueryEntry[]): string {
  const [path = ''] = rawUrl.split('?', 1)
  const query = entries.map(({ name, brackets, value }) => `${spelled(name, brackets)}=${encodeURIComponent(value)}`)
  return [base + path.replace(/\/$/, ''), ...(query.length === 0 ? [] : [query.join('&')])].join('?')
}

const spelled = (name: string, brackets: readonly string[]): string =>
  encodeURIComponent(name + brackets.map((inside) => `[${inside}]`).join(''))
