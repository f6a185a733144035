import type { Snapshot } from '../storage/database.ts'
import { type PositionOfStay, pageOfStays, type StayInPlace, type StayQuery } from '../storage/history/stay-pages.ts'

export interface StayPage {
  readonly stays: readonly StayInPlace[]
  /** Behind which the next page begins; undefined where this is the last. */
  readonly last: PositionOfStay | undefined
}

/** One page of stays, in the order of assets, times and logs; asked for one more than it shows, so that it knows of a next. */
export async function stayPage(snapshot: Snapshot, asked: StayQuery): Promise<StayPage> {
  const found = await pageOfStays(snapshot, { ...asked, limit: asked.limit + 1 })
  const stays = found.slice(0, asked.limit)
  return { stays, last: found.length > asked.limit ? stays.at(-1) : undefined }
}
