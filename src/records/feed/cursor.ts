import { createHash } from 'node:crypto'
import { Refusal } from '../../refusal.ts'
import { type FeedPlace, type FeedSlice, beginning, placeIn, placeText } from '../../storage/feed/feed-place.ts'

import { badQuery } from '../finding/bad-query.ts'

/** Where a reader of the feed is: a place in the journal of one farm. */
export interface Cursor {
  /** Null at the beginning, which every farm has. */
  readonly origin: string | null
  readonly place: FeedPlace
}

/** Everything that ever happened comes after it. */
export const fromTheBeginning = '0'

/** A word for the farm, and for the database that its places are counted in. */
export const originOf = ({ edition, cluster }: Pick<FeedSlice, 'edition' | 'cluster'>): string =>
  createHash('sha256').update(`${edition} ${cluster}`).digest('base64url').slice(0, 8)

export const cursorText = (origin: string, place: FeedPlace): string => `${origin}.${placeText(place)}`

export function cursorIn(text: string): Cursor {
  if (text === fromTheBeginning) return { origin: null, place: beginning }
  const [, origin, placed = ''] = /^([\w-]{8})\.(.+)$/.exec(text) ?? []
  const place = placeIn(placed)
  if (origin === undefined || place === undefined)
    throw badQuery('since', 'takes 0, or what a former answer has as next, letter by letter')
  return { origin, place }
}

/** The farm is another than the one that the cursor is of, or has been put back to an earlier state. */
export class CursorIsGone extends Refusal {
  constructor() {
    super(
      'gone',
      'This cursor belongs to another state of this farm: it was restored, put back or moved since. ' +
        'Ask for a new cursor (/changes without since), then load everything again; what you have not sent yet, keep and send as before.',
    )
  }
}
