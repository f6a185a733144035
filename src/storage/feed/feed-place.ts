import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import type { JournalVerb } from '../sql/tables.ts'

/** An entry of the journal, told from others under the same number by its mark. */
export interface Landmark {
  readonly sequence: number
  readonly mark: number
}

/**
 * On PostgreSQL, where writers overtake one another: the entries of all transactions below a number, except those that
 * were open. Unused on SQLite, where entries become visible in order.
 */
export interface VisibleTransactions {
  readonly below: number
  readonly open: readonly number[]
}

/** A reader's position in the journal. */
export interface FeedPlace {
  /** An entry that was seen, if there was one: where it is missing, this is another copy of the farm. */
  readonly last: Landmark
  readonly seen: VisibleTransactions
  /** A reader inside a slice: the end of the slice, and the transaction of the last entry. */
  readonly within: { readonly upTo: VisibleTransactions; readonly xid: number } | null
}

const nothingSeen: VisibleTransactions = { below: 0, open: [] }

/** Before the first entry. */
export const beginning: FeedPlace = { last: { sequence: 0, mark: 0 }, seen: nothingSeen, within: null }

/** Letters, digits, dots and hyphens. */
export function placeText({ last, seen, within }: FeedPlace): string {
  const parts = [spelled(last.sequence), spelled(last.mark)]
  if (seen.below > 0 || within !== null) parts.push(seenText(seen))
  if (within !== null) parts.push(seenText(within.upTo), spelled(within.xid))
  return parts.join('.')
}

/** Undefined for what no place is spelled as. */
export function placeIn(text: string): FeedPlace | undefined {
  if (!/^[\da-z]+(?:[.-][\da-z]+)*$/.test(text)) return undefined
  const [sequence = '', mark = '', seen, upTo, xid, ...rest] = text.split('.')
  if (/-/.test(sequence + mark + (xid ?? '')) || rest.length > 0 || (upTo === undefined) !== (xid === undefined))
    return undefined
  const place = {
    last: { sequence: numberIn(sequence), mark: numberIn(mark) },
    seen: seen === undefined ? nothingSeen : seenIn(seen),
    within: upTo === undefined || xid === undefined ? null : { upTo: seenIn(upTo), xid: numberIn(xid) },
  }
  return numbersOf(place).every((number) => Number.isSafeInteger(number) && number >= 0) ? place : undefined
}

const numbersOf = ({ last, seen, within }: FeedPlace): readonly number[] => [
  last.sequence,
  last.mark,
  seen.below,
  ...seen.open,
  ...(within === null ? [] : [within.xid, within.upTo.below, ...within.upTo.open]),
]

/** Open transactions are near the newest, so distances are short. */
const seenText = ({ below, open }: VisibleTransactions): string =>
  [below, ...open.map((xid) => below - xid)].map(spelled).join('-')

function seenIn(text: string): VisibleTransactions {
  const [below = 0, ...distances] = text.split('-').map(numberIn)
  return { below, open: distances.map((distance) => below - distance) }
}

const spelled = (number: number): string => number.toString(36)
const numberIn = (text: string): number => (text === '' ? Number.NaN : Number.parseInt(text, 36))

/** A journal entry with its author. */
export interface FeedEntry extends Landmark {
  /** The transaction that wrote it; on SQLite nothing is told by it. */
  readonly xid: number
  readonly at: number
  readonly uid: number
  readonly type: RecordTypeName
  readonly id: number
  readonly verb: JournalVerb
  readonly set_id: string | null
  readonly revision: number
}

/** Journal entries that became visible since a position. */
export interface FeedSlice {
  readonly edition: string
  /** A word for the database that numbers the transactions; places of one say nothing in another. */
  readonly cluster: string
  /** As in farm-state.ts. */
  readonly changes: string
  /** True if the reader's last entry still exists. */
  readonly isKnown: boolean
  /** In reading order. */
  readonly entries: readonly FeedEntry[]
  /** The position after so many of them. */
  readonly placeAfter: (count: number) => FeedPlace
  readonly hasMore: boolean
}

interface FeedQuestion {
  /** `newest`: nothing but where it ends. */
  readonly after: FeedPlace | 'newest'
  readonly most: number
}

/** Reads journal entries in an order that skips none that become visible later. */
export type JournalFeed = (snapshot: Snapshot, question: FeedQuestion) => Promise<FeedSlice>
