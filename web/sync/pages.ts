import type { WireRecord } from '../store/wire.ts'
import { answerMaybeEarly } from './early.ts'

export interface ListPage {
  readonly list: readonly WireRecord[]
  readonly last: string
}

/** One answer of a walk through a list, and how many records are behind it. */
export interface WalkPage {
  readonly records: readonly WireRecord[]
  readonly left: number
  /** How many to ask for next, so that an answer is about as large as it should be. */
  readonly nextLimit: number
}

const most = 1000
const idealSize = 1_000_000

export async function listPage(
  path: string,
  query: Readonly<Record<string, string>>,
  limit: number,
): Promise<WalkPage> {
  const { body, size } = await answerMaybeEarly<ListPage>(pathOfPage(path, query, limit))
  const pages = Number(new URL(body.last).searchParams.get('page'))
  return { records: body.list, left: (pages - Number(query.page ?? 0)) * limit, nextLimit: fitting(limit, size) }
}

export function pathOfPage(path: string, query: Readonly<Record<string, string>>, limit: number): string {
  return `${path}?${new URLSearchParams({ ...query, limit: String(limit), files: 'link' })}`
}

/** Ten times as many at most: a few large records say little of the next ones. */
export function fitting(limit: number, size: number): number {
  const wanted = Math.floor((limit * idealSize) / Math.max(size, 1))
  return Math.max(1, Math.min(most, limit * 10, wanted))
}
