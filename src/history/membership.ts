import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/history/point-in-time.ts'
import { decidingLogs, type Things } from '../storage/history/stay-rows.ts'
import { fieldsByIds } from '../storage/records/record-rows.ts'
import { membershipOf } from './log-parts.ts'

/** The groups that these assets belong to at that time; those that never joined one are missing. */
export const currentGroups = (
  snapshot: Snapshot,
  assets: readonly number[],
  time: PointInTime,
): Promise<ReadonlyMap<number, readonly number[]>> => groupsOf(snapshot, { type: 'asset', ids: assets }, time)

/** The same for areas too, which the newer generation puts into groups. */
export async function groupsOf(
  snapshot: Snapshot,
  things: Things,
  time: PointInTime,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const deciding = await decidingLogs(snapshot, things, { kind: 'membership', now: time.second })
  const logs = await fieldsByIds(snapshot, 'log', [...new Set(deciding.values())])
  return new Map([...deciding].map(([id, log]) => [id, membershipOf(logs.get(log) ?? {}) ?? []]))
}
