import { Refusal } from '../../refusal.ts'

/** How many records a page of a list has. */
export const perPage = { usual: 100, most: 1000 } as const

/** Which page is asked for, and how many records each has. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** The number of the last page of so many records; one beyond it is refused. */
export function lastPageOf(count: number, { page, limit }: PageRequest): number {
  const last = Math.max(0, Math.ceil(count / limit) - 1)
  if (page > last) throw new Refusal('not-found', `There is no page ${page}; the last page is ${last}.`)
  return last
}
