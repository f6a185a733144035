import { wholeNumber } from '../fields/scalars.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { badQuery } from '../records/finding/filter.ts'
import { lastPageOf, type PageRequest, perPage } from '../records/finding/paging.ts'
import type { ListLinks } from './answer-format.ts'

/** Clients append these to an address that has them already: the last counts. */
const lastCounts: readonly string[] = ['page', 'limit', 'sort', 'direction']

/** The value of a parameter; one with brackets is somebody else's. */
export function parameter(entries: readonly QueryEntry[], name: string): string | undefined {
  const given = entries.filter((entry) => entry.name === name && entry.brackets.length === 0)
  if (given.length > 1 && !lastCounts.includes(name)) throw badQuery(name, 'is given twice; give it once')
  return given.at(-1)?.value
}

export function pagingIn(entries: readonly QueryEntry[]): PageRequest {
  return {
    page: numberAsked(entries, 'page', anyNumber) ?? 0,
    limit: numberAsked(entries, 'limit', { least: 1, most: perPage.most }) ?? perPage.usual,
  }
}

interface NumberBounds {
  readonly least: number
  readonly most: number
}

export const anyNumber: NumberBounds = { least: 0, most: Number.MAX_SAFE_INTEGER }

/** A parameter that is a whole number; undefined where it is not given. */
export function numberAsked(
  entries: readonly QueryEntry[],
  name: string,
  { least, most }: NumberBounds,
): number | undefined {
  const given = parameter(entries, name)
  if (given === undefined) return undefined
  const number = wholeNumber(given)
  if (number !== undefined && number >= least && number <= most) return number
  const upTo = most === Number.MAX_SAFE_INTEGER ? 'up' : `to ${most}`
  throw badQuery(name, `must be a whole number from ${least} ${upTo}, not ${JSON.stringify(given)}`)
}

/** The links of a page, which repeat the caller's own query and each name their page. */
export function linksOf(
  { url }: { readonly url: string },
  base: string,
  { page, last }: { readonly page: number; readonly last: number },
): ListLinks {
  const [path = '', query = ''] = url.split('?', 2)
  const address = base + path.replace(/\/$/, '').replace(/\.(json|xml)$/, '')
  const segments = query.split('&').filter((segment) => segment !== '' && !/^page(=|$)/.test(segment))
  const others = segments.map((segment) => `${segment}&`).join('')
  const link = (number: number) => `${address}?${others}page=${number}`
  return {
    self: link(page),
    first: link(0),
    last: link(last),
    ...(page > 0 ? { prev: link(page - 1) } : {}),
    ...(page < last ? { next: link(page + 1) } : {}),
  }
}

/** One page of a list that is short enough to be at hand as a whole. */
export function pageOf<T>(
  items: readonly T[],
  paging: PageRequest,
): { readonly last: number; readonly list: readonly T[] } {
  const { page, limit } = paging
  return { last: lastPageOf(items.length, paging), list: items.slice(page * limit, (page + 1) * limit) }
}

/** Refuses what is asked beside these. */
export function refuseOthers(entries: readonly QueryEntry[], names: readonly string[]): void {
  const other = entries.find(({ name, brackets }) => brackets.length > 0 || !names.includes(name))
  if (other !== undefined) throw badQuery(other.name, 'is not known here', names)
}
