import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'
import { decidingLogs } from '../storage/history/stay-rows.ts'
import { fieldsByIds } from '../storage/records/record-rows.ts'
import { groupsOf } from './log-parts.ts'

/** The groups that these assets belong to at that time; those that never joined one are missing. */
export async function currentGroups(
  snapshot: Snapshot,
  assets: readonly number[],
  time: PointInTime,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const deciding = await decidingLogs(snapshot, 'membership', { assets, now: time.second })
  const logs = await fieldsByIds(snapshot, 'log', [...new Set(deciding.values())])
  return new Map(
    [...deciding].map(([asset, id]) => {
      const log = logs.get(id)
      return [asset, log === undefined ? [] : groupsOf(log)]
    }),
  )
}
