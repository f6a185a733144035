import type { Snapshot } from '../storage/database.ts'
import { inThePast } from '../storage/history/point-in-time.ts'
import type { Thing } from '../storage/history/stay-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { byType } from './each-type.ts'
import { insideItself } from './implications.ts'
import { isDone, momentOf, movementOf, thingsIn, thingsOf } from './log-parts.ts'
import { newerWhereabouts } from './newer/whereabouts.ts'

/**
 * Nothing can be put into what lies in it, from the time of the log on. Asked once the log is kept, so that what it says counts, and
 * what it said before does not. Areas move and assets are places only in the newer generation, so its rules decide.
 */
export async function refuseOwnPlaces(snapshot: Snapshot, log: StoredRecord): Promise<void> {
  const movement = movementOf(log.values)
  if (movement === undefined || !isDone(log.values)) return
  const moved = new Set(thingsOf(log.values).flatMap(({ type, ids }) => ids.map((id) => nameOf({ type, id }))))
  const time = inThePast(momentOf(log.values))
  const seen = new Set<string>()
  for (const first of thingsIn(movement)) {
    let level: readonly Thing[] = [first]
    while (level.length > 0) {
      for (const place of level) {
        if (moved.has(nameOf(place))) throw insideItself('movement', place, first)
        seen.add(nameOf(place))
      }
      const around = await newerWhereabouts(snapshot, byType(level), time)
      const above = level.flatMap(({ type, id }) => around[type].get(id)?.places ?? [])
      level = above.filter((place) => !seen.has(nameOf(place)))
    }
  }
}

const nameOf = ({ type, id }: Thing): string => `${type} ${id}`
