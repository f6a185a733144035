import type { Snapshot } from '../storage/database.ts'
import { type PositionOfStay, pageOfStays, type StayInPlace, type StayQuery } from '../storage/history/stay-pages.ts'

export interface StayPage {
  readonly stays: readonly StayInPlace[]
  /** The cursor of the next page; undefined on the last page. */
  readonly last: PositionOfStay | undefined
}

/**
 * One page of stays, sorted by asset, time and log. Fetches one more than it returns, to know whether a next page
 * exists.
 */
export async function stayPage(snapshot: Snapshot, asked: StayQuery): Promise<StayPage> {
  const found = await pageOfStays(snapshot, { ...asked, limit: asked.limit + 1 })
  const stays = found.slice(0, asked.limit)
  return { stays, last: found.length > asked.limit ? stays.at(-1) : undefined }
}
