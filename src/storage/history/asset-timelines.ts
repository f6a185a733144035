import type { Snapshot } from '../database.ts'
import { inSlices } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import { nowhere } from './stay-rows.ts'

/** The asset was in these areas from that second on, by that log. */
export interface Arrival {
  readonly timestamp: number
  readonly log: number
  readonly areas: readonly number[]
}

/** Arrivals of each asset in order, up to a second. */
export async function areasOverTime(
  snapshot: Snapshot,
  assets: readonly number[],
  until: number,
): Promise<ReadonlyMap<number, readonly Arrival[]>> {
  const timelines = new Map<number, Arrival[]>(assets.map((asset) => [asset, []]))
  for (const row of await inSlices(assets, (ids) => movementsOf(snapshot, { ids, until }))) {
    const timeline = timelines.get(row.thing_id) ?? []
    const areas = row.place_type === 'term' && row.place_id !== nowhere ? [row.place_id] : []
    const last = timeline.at(-1)
    if (last?.log === row.log_id) timeline[timeline.length - 1] = { ...last, areas: [...last.areas, ...areas] }
    else timeline.push({ timestamp: row.timestamp, log: row.log_id, areas })
  }
  return timelines
}

const movementsOf = prepared((snapshot, { ids, until }: { readonly ids: readonly number[]; readonly until: number }) =>
  snapshot
    .selectFrom('stay')
    .select(['thing_id', 'timestamp', 'log_id', 'place_type', 'place_id'])
    .where('kind', '=', 'movement')
    .where('thing_type', '=', 'asset')
    .where('thing_id', 'in', ids)
    .where('timestamp', '<=', until)
    .orderBy('thing_id')
    .orderBy('timestamp')
    .orderBy('log_id')
    .orderBy('place_id'),
)

/** The areas of the last arrival by that second. */
export function areasAt(timeline: readonly Arrival[], second: number): readonly number[] {
  let [low, high] = [0, timeline.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((timeline[middle]?.timestamp ?? 0) <= second) low = middle + 1
    else high = middle
  }
  return timeline[low - 1]?.areas ?? []
}
