import { Refusal } from '../../refusal.ts'

/** Records per page. */
export const perPage = { usual: 100, most: 1000 } as const

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
