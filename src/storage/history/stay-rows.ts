import type { ExpressionBuilder } from 'kysely'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared } from '../prepared.ts'
import { inSlices } from '../slices.ts'
import type { StayRow, Tables } from '../tables.ts'

export type StayKind = StayRow['kind']

/** One log put these assets into these places; a movement that gives only a geometry puts them nowhere: `[nowhere]`. */
export interface Stay {
  readonly kind: StayKind
  readonly assets: readonly number[]
  readonly timestamp: number
  readonly log: number
  readonly places: readonly number[]
}

export const nowhere = 0
export const forever = Number.MAX_SAFE_INTEGER

/** A row for each asset in each place; when they end depends on others. */
export const rowsOfStay = ({ kind, assets, timestamp, log: log_id, places }: Stay): readonly Omit<StayRow, 'until'>[] =>
  assets.flatMap((asset_id) => places.map((place_id) => ({ kind, asset_id, timestamp, log_id, place_id })))

/** Enters a stay into its assets' timelines: it lasts until the next one of each, and the one before lasts until it. */
export async function addStay(rows: Writing, stay: Stay): Promise<void> {
  const neighbours = await neighboursOf(rows, stay)
  const ends = new Map(neighbours.map(({ id, next }) => [id, next ?? forever]))
  const entries = rowsOfStay(stay).map((row) => ({ ...row, until: ends.get(row.asset_id) ?? forever }))
  await insertAll(rows, 'stay', entries)
  await endStaysBefore(
    rows,
    stay.kind,
    neighbours.map(({ id, previous }) => ({ id, previous, until: stay.timestamp })),
  )
}

export async function removeStay(rows: Writing, stay: Stay): Promise<void> {
  await rows
    .deleteFrom('stay')
    .where('kind', '=', stay.kind)
    .where('log_id', '=', stay.log)
    .where('asset_id', 'in', stay.assets)
    .execute()
  const neighbours = await neighboursOf(rows, stay)
  await endStaysBefore(
    rows,
    stay.kind,
    neighbours.map(({ next, ...asset }) => ({ ...asset, until: next ?? forever })),
  )
}

/** For each asset the log that puts it somewhere just before this stay, and when it is put somewhere just after. */
const neighboursOf = (rows: Writing, { kind, timestamp, log, assets }: Stay) =>
  inSlices(assets, (slice) => neighbours(rows, { kind, timestamp, log, assets: slice }))

interface Before {
  readonly id: number
  readonly previous: number | null
  readonly until: number
}

/** Herds move together: most assets share the log before, so one statement per such log ends their stays. */
async function endStaysBefore(rows: Writing, kind: StayKind, befores: readonly Before[]): Promise<void> {
  const together = new Map<string, { log: number; until: number; assets: number[] }>()
  for (const { id, previous: log, until } of befores) {
    if (log === null) continue
    const key = `${log} ${until}`
    const others = together.get(key)
    if (others === undefined) together.set(key, { log, until, assets: [id] })
    else others.assets.push(id)
  }
  for (const { log, until, assets } of together.values()) {
    await inSlices(assets, (slice) => endStays(rows, { kind, log, until, assets: slice }))
  }
}

type Ended = {
  readonly kind: StayKind
  readonly log: number
  readonly until: number
  readonly assets: readonly number[]
}

const endStays = prepared((rows: Writing, { kind, log, until, assets }: Ended) =>
  rows
    .updateTable('stay')
    .set({ until })
    .where('kind', '=', kind)
    .where('log_id', '=', log)
    .where('asset_id', 'in', assets),
)

// Types and not interfaces: only those are taken for records of parameters.
type PointInTimelines = Pick<Stay, 'kind' | 'timestamp' | 'log' | 'assets'>
type AssetsAt = { readonly kind: StayKind; readonly assets: readonly number[]; readonly now: number }
type PlacesAt = { readonly kind: StayKind; readonly places: readonly number[]; readonly now: number }

/**
 * What of each asset's timeline comes just before and just after a point, by time and then by log. The two are compared as one
 * pair, so that both engines step straight to the place; written as an `or` they would walk there from the timeline's end.
 */
const neighbours = prepared((rows, { kind, timestamp, log, assets }: PointInTimelines) => {
  const beside = (stays: ExpressionBuilder<Tables, 'asset'>, beyond: '<' | '>') =>
    stays
      .selectFrom('stay')
      .where('stay.kind', '=', kind)
      .whereRef('stay.asset_id', '=', 'asset.id')
      .where(({ eb, refTuple, tuple }) => eb(refTuple('stay.timestamp', 'stay.log_id'), beyond, tuple(timestamp, log)))
      .orderBy('stay.timestamp', beyond === '<' ? 'desc' : 'asc')
      .orderBy('stay.log_id', beyond === '<' ? 'desc' : 'asc')
      .limit(1)
  return rows
    .selectFrom('asset')
    .select((stays) => [
      'asset.id',
      beside(stays, '<').select('stay.log_id').as('previous'),
      beside(stays, '>').select('stay.timestamp').as('next'),
    ])
    .where('asset.id', 'in', assets)
})

/** Which log decides for each of these assets at that time; those that none does are missing. */
export async function decidingLogs(
  rows: Reading,
  kind: StayKind,
  { assets, now }: { readonly assets: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(assets, (slice) => latestStays(rows, { kind, assets: slice, now }))
  return new Map(found.flatMap((row) => (row.log_id === null ? [] : [[row.id, row.log_id]])))
}

const latestStays = prepared((rows, { kind, assets, now }: AssetsAt) =>
  rows
    .selectFrom('asset')
    .select((select) => [
      'asset.id',
      select
        .selectFrom('stay')
        .select('stay.log_id')
        .where('stay.kind', '=', kind)
        .whereRef('stay.asset_id', '=', 'asset.id')
        .where('stay.timestamp', '<=', now)
        .orderBy('stay.timestamp', 'desc')
        .orderBy('stay.log_id', 'desc')
        .limit(1)
        .as('log_id'),
    ])
    .where('asset.id', 'in', assets),
)

/** The assets that stay in each of these places at that time, without the archived ones, by place. */
export async function occupants(
  rows: Reading,
  kind: StayKind,
  { places, now }: { readonly places: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = await inSlices(places, (slice) => presentStays(rows, { kind, places: slice, now }))
  const byPlace = new Map<number, number[]>()
  // Asked to sort by asset, SQLite reads the timelines of all assets instead of the places.
  for (const { place_id, asset_id } of found.toSorted((a, b) => a.asset_id - b.asset_id)) {
    const there = byPlace.get(place_id)
    if (there === undefined) byPlace.set(place_id, [asset_id])
    else there.push(asset_id)
  }
  return byPlace
}

const presentStays = prepared((rows, { kind, places, now }: PlacesAt) =>
  rows
    .selectFrom('stay')
    .innerJoin('asset', 'asset.id', 'stay.asset_id')
    .select(['stay.place_id', 'stay.asset_id'])
    .where('stay.kind', '=', kind)
    .where('stay.place_id', 'in', places)
    .where('stay.until', '>', now)
    .where('stay.timestamp', '<=', now)
    .where('asset.archived', '=', 0),
)
