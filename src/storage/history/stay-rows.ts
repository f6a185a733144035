import type { Reading, Writing } from '../database.ts'
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

interface Moment {
  readonly timestamp: number
  readonly log_id: number
}

/** Enters a stay into the asset's timeline: it lasts until the next one, and the one before lasts until it. */
export async function addStay(rows: Writing, stay: Stay): Promise<void> {
  const until = (await neighbour(rows, stay, 'next'))?.timestamp ?? forever
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
  await closePrevious(rows, stay, (await neighbour(rows, stay, 'next'))?.timestamp ?? forever)
}

async function closePrevious(rows: Writing, stay: Stay, until: number): Promise<void> {
  const previous = await neighbour(rows, stay, 'previous')
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

/** The stay of the same asset that comes just before or after, by time and then by log. */
function neighbour(rows: Reading, stay: Stay, side: 'previous' | 'next'): Promise<Moment | undefined> {
  const [beyond, order] = side === 'next' ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
  return rows
    .selectFrom('stay')
    .select(['timestamp', 'log_id'])
    .where('kind', '=', stay.kind)
    .where('asset_id', '=', stay.asset)
    .where((where) =>
      where.or([
        where('timestamp', beyond, stay.timestamp),
        where.and([where('timestamp', '=', stay.timestamp), where('log_id', beyond, stay.log)]),
      ]),
    )
    .orderBy('timestamp', order)
    .orderBy('log_id', order)
    .limit(1)
    .executeTakeFirst()
}

/** Which log decides for each of these assets at that time; those that none does are missing. */
export async function decidingLogs(
  rows: Reading,
  kind: StayKind,
  at: { readonly assets: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, number>> {
  if (at.assets.length === 0) return new Map()
  const found = await rows
    .selectFrom('asset')
    .select((select) => [
      'asset.id',
      select
        .selectFrom('stay')
        .select('stay.log_id')
        .where('stay.kind', '=', kind)
        .whereRef('stay.asset_id', '=', 'asset.id')
        .where('stay.timestamp', '<=', at.now)
        .orderBy('stay.timestamp', 'desc')
        .orderBy('stay.log_id', 'desc')
        .limit(1)
        .as('log_id'),
    ])
    .where('asset.id', 'in', at.assets)
    .execute()
  return new Map(found.flatMap((row) => (row.log_id === null ? [] : [[row.id, row.log_id]])))
}

/** The assets that stay in each of these places at that time, without the archived ones, by place. */
export async function occupants(
  rows: Reading,
  kind: StayKind,
  at: { readonly places: readonly number[]; readonly now: number },
): Promise<ReadonlyMap<number, readonly number[]>> {
  const byPlace = new Map<number, number[]>()
  if (at.places.length === 0) return byPlace
  const found = await rows
    .selectFrom('stay')
    .innerJoin('asset', 'asset.id', 'stay.asset_id')
    .select(['stay.place_id', 'stay.asset_id'])
    .where('stay.kind', '=', kind)
    .where('stay.place_id', 'in', at.places)
    .where('stay.until', '>', at.now)
    .where('stay.timestamp', '<=', at.now)
    .where('asset.archived', '=', 0)
    .orderBy('stay.asset_id')
    .execute()
  for (const { place_id, asset_id } of found) {
    const there = byPlace.get(place_id)
    if (there === undefined) byPlace.set(place_id, [asset_id])
    else there.push(asset_id)
  }
  return byPlace
}
