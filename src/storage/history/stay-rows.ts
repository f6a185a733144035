import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'
import type { StayRow } from '../sql/tables.ts'
import type { PointInTime } from './point-in-time.ts'

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

type AssetsAt = { readonly kind: StayKind; readonly assets: readonly number[]; readonly now: number }
type PlacesAt = { readonly kind: StayKind; readonly places: readonly number[] } & PointInTime

/** Which log decides for each of these assets at that time; those that none does are missing. */
export async function decidingLogs(
  snapshot: Snapshot,
  kind: StayKind,
  { assets, now }: { readonly assets: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, number>> {
  const found = await inSlices(assets, (slice) => latestStays(snapshot, { kind, assets: slice, now }))
  return new Map(found.flatMap((row) => (row.log_id === null ? [] : [[row.id, row.log_id]])))
}

const latestStays = prepared((snapshot, { kind, assets, now }: AssetsAt) =>
  snapshot
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

/** The assets that stay in each of these places at that time, without those that are archived by then, by place. */
export async function occupants(
  snapshot: Snapshot,
  kind: StayKind,
  { places, time }: { readonly places: readonly number[]; readonly time: PointInTime },
): Promise<ReadonlyMap<number, readonly number[]>> {
  const found = await inSlices(places, (slice) => staysAt(snapshot, { kind, places: slice, ...time }))
  const byPlace = new Map<number, number[]>()
  // Asked to sort by asset, SQLite reads the timelines of all assets instead of the places.
  for (const { place_id, asset_id } of found.toSorted((a, b) => a.asset_id - b.asset_id)) {
    const there = byPlace.get(place_id)
    if (there === undefined) byPlace.set(place_id, [asset_id])
    else there.push(asset_id)
  }
  return byPlace
}

const staysAt = prepared((snapshot, { kind, places, second, archivedBy }: PlacesAt) =>
  snapshot
    .selectFrom('stay')
    .innerJoin('asset', 'asset.id', 'stay.asset_id')
    .select(['stay.place_id', 'stay.asset_id'])
    .where('stay.kind', '=', kind)
    .where('stay.place_id', 'in', places)
    .where('stay.until', '>', second)
    .where('stay.timestamp', '<=', second)
    .where((asset) => asset.or([asset('asset.archived', '=', 0), asset('asset.archived', '>', archivedBy)])),
)
