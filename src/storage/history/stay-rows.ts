import type { Reading, Writing } from '../database.ts'
import { prepared } from '../prepared.ts'
import { inSlices } from '../slices.ts'
import type { StayRow } from '../tables.ts'

export type StayKind = StayRow['kind']

/** One log put one asset into these places; a movement that gives only a geometry puts it nowhere: `[nowhere]`. */
export interface Stay {
  readonly kind: StayKind
  readonly asset: number
  readonly timestamp: number
  readonly log: number
  readonly places: readonly number[]
}

export const nowhere = 0
const forever = Number.MAX_SAFE_INTEGER

/** Enters a stay into the asset's timeline: it lasts until the next one, and the one before lasts until it. */
export async function addStay(rows: Writing, stay: Stay): Promise<void> {
  const until = await untilNext(rows, stay)
  const { kind, asset: asset_id, timestamp, log: log_id } = stay
  await rows
    .insertInto('stay')
    .values(stay.places.map((place_id) => ({ kind, asset_id, timestamp, log_id, place_id, until })))
    .execute()
  await closePrevious(rows, stay, timestamp)
}

export async function removeStay(rows: Writing, stay: Stay): Promise<void> {
  await rows
    .deleteFrom('stay')
    .where('kind', '=', stay.kind)
    .where('asset_id', '=', stay.asset)
    .where('timestamp', '=', stay.timestamp)
    .where('log_id', '=', stay.log)
    .execute()
  await closePrevious(rows, stay, await untilNext(rows, stay))
}

async function untilNext(rows: Writing, stay: Stay): Promise<number> {
  const [next] = await neighbours.next(rows, placeInTime(stay))
  return next?.timestamp ?? forever
}

async function closePrevious(rows: Writing, stay: Stay, until: number): Promise<void> {
  const [previous] = await neighbours.previous(rows, placeInTime(stay))
  if (previous === undefined) return
  await rows
    .updateTable('stay')
    .set({ until })
    .where('kind', '=', stay.kind)
    .where('asset_id', '=', stay.asset)
    .where('timestamp', '=', previous.timestamp)
    .where('log_id', '=', previous.log_id)
    .execute()
}

const placeInTime = ({ kind, asset, timestamp, log }: Stay) => ({ kind, asset, timestamp, log })

type PlaceInTime = ReturnType<typeof placeInTime>

/**
 * The stay of the same asset that comes just before or after, by time and then by log. The two are compared as one pair,
 * so that both engines step straight to the place; written as an `or` they would walk there from the timeline's end.
 */
const neighbour = (beyond: '<' | '>', order: 'desc' | 'asc') =>
  prepared((rows, { kind, asset, timestamp, log }: PlaceInTime) =>
    rows
      .selectFrom('stay')
      .select(['timestamp', 'log_id'])
      .where('kind', '=', kind)
      .where('asset_id', '=', asset)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('timestamp', 'log_id'), beyond, tuple(timestamp, log)))
      .orderBy('timestamp', order)
      .orderBy('log_id', order)
      .limit(1),
  )

const neighbours = { previous: neighbour('<', 'desc'), next: neighbour('>', 'asc') }

/** Which log decides for each of these assets at that time; those that none does are missing. */
export async function decidingLogs(
  rows: Reading,
  kind: StayKind,
  { assets, now }: { readonly assets: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(assets, (slice) => latestStays(rows, { kind, assets: slice, now }))
  return new Map(found.flatMap((row) => (row.log_id === null ? [] : [[row.id, row.log_id]])))
}

// Types and not interfaces: only those are taken for records of parameters.
type AssetsAt = { readonly kind: StayKind; readonly assets: readonly number[]; readonly now: number }
type PlacesAt = { readonly kind: StayKind; readonly places: readonly number[]; readonly now: number }

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
