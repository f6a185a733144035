import { timeOf, typeOnTheWire } from '../store/row.ts'
import type { KeptRecord, RecordType } from '../store/types.ts'
import { mostLogs } from './kept-window.ts'
import { shownWith } from './shown-with.ts'

export type WalkName = 'assets' | 'terms' | 'pending' | 'recent' | 'archived'

export interface Step {
  readonly behind: string | null
  /** Unix seconds: done logs are loaded from this time on. */
  readonly since: number
  readonly limit: number
}

/** A way through a list, in answers of which each begins behind the one before. */
export interface Walk {
  readonly path: string
  readonly type: RecordType
  readonly firstLimit: number
  /** Where it ends at the latest. */
  readonly most?: number
  query(step: Step): Readonly<Record<string, string>>
  /** Where the next answer begins. */
  behind(records: readonly KeptRecord[], step: Step): string | null
}

const shown = { with: shownWith.log }

const byId = (filter: Readonly<Record<string, string>>): Pick<Walk, 'query' | 'behind'> => ({
  query: ({ behind }) => ({ ...shown, ...filter, sort: 'id', ...(behind === null ? {} : { 'id[gt]': behind }) }),
  behind: (records, { behind }) => records.at(-1)?.id ?? behind,
})

/**
 * The newest first, so that the copy has the newest if there are more than it keeps. An answer begins with the last second of
 * the one before, which may not have been told of to its end; `12.1000` is behind a thousand records of the second 12.
 */
const byTime: Pick<Walk, 'query' | 'behind'> = {
  query: (step) => ({
    ...shown,
    done: '1',
    sort: 'timestamp',
    direction: 'DESC',
    'timestamp[ge]': String(step.since),
    ...pageAt(step),
  }),
  behind: (records, step) => {
    const last = records.at(-1)
    if (last === undefined) return step.behind
    const { time, seen } = placeIn(step.behind)
    const isSameSecond = records.every((record) => timeOf(record) === time)
    return isSameSecond ? `${time}.${Math.floor(seen / step.limit) * step.limit + records.length}` : `${timeOf(last)}.0`
  },
}

function pageAt({ behind, limit }: Step): Readonly<Record<string, string>> {
  const { time, seen } = placeIn(behind)
  return time === null ? {} : { 'timestamp[le]': String(time), page: String(Math.floor(seen / limit)) }
}

function placeIn(behind: string | null): { time: number | null; seen: number } {
  const [time, seen] = behind?.split('.') ?? []
  return { time: time === undefined ? null : Number(time), seen: Number(seen ?? 0) }
}

const listOf = (type: RecordType) => ({ path: `/${typeOnTheWire[type]}.json`, type })
const assets = listOf('asset')
const logs = listOf('log')

export const walks: Readonly<Record<WalkName, Walk>> = {
  assets: { ...assets, firstLimit: 250, ...byId({ archived: '0', with: 'uuid,version,inventory' }) },
  terms: { ...listOf('term'), firstLimit: 250, ...byId({ with: shownWith.term }) },
  pending: { ...logs, firstLimit: 250, ...byId({ done: '0' }) },
  recent: { ...logs, firstLimit: 40, most: mostLogs, ...byTime },
  archived: { ...assets, firstLimit: 1000, ...byId({ 'archived[gt]': '0' }) },
}
