import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/history/point-in-time.ts'
import type { ByThing, Things } from '../../storage/history/stay-rows.ts'
import { eachType } from '../each-type.ts'
import { groupsOf } from '../membership.ts'

/** The groups that these assets and areas belong to at that time; those that never joined one are missing. */
export const newerGroups = (
  snapshot: Snapshot,
  things: readonly Things[],
  time: PointInTime,
): Promise<ByThing<readonly number[]>> => eachType(things, (some) => groupsOf(snapshot, some, time))
