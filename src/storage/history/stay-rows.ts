import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'
import { inSlices } from '../sql/slices.ts'
import type { StayRow } from '../sql/tables.ts'

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

/** A group that is a member of another, from when until when. */
export interface GroupStay {
  readonly asset: number
  readonly place: number
  readonly from: number
  readonly until: number
  readonly log: number
}

/** Of all groups that ever had members, when they were members themselves. */
export const groupsInGroups: (snapshot: Snapshot) => Promise<readonly GroupStay[]> = prepared((snapshot) =>
  snapshot
    .selectFrom('stay')
    .select(['asset_id as asset', 'place_id as place', 'timestamp as from', 'until', 'log_id as log'])
    .where('kind', '=', 'membership')
    .where('asset_id', 'in', (joined) =>
      joined.selectFrom('stay as member').select('member.place_id').where('member.kind', '=', 'membership'),
    )
    .orderBy('asset_id')
    .orderBy('timestamp')
    .orderBy('log_id'),
)
