import { badQuery } from '../../../records/finding/filter.ts'
import { limits } from '../../http/limits.ts'
import type { QueryEntry } from '../../http/query.ts'

/** The filters of the query, for the addresses of figures. */
export function filterTextOf(filters: readonly QueryEntry[]): string {
  const text = filters
    .map(({ name, brackets, value }) => [name + brackets.map((one) => `[${one}]`).join(''), value])
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
  if (text.length > mostFilterText)
    throw badQuery('filters', 'are too long for an address that lists the logs of a figure')
  return text
}

/** An address has to hold the figure and a week beside it. */
const mostFilterText = limits.urlBytes - 512
