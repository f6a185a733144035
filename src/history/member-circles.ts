import type { Snapshot } from '../storage/database.ts'
import { type GroupStay, groupsInGroups } from '../storage/history/stay-rows.ts'

/** A group that is its own member from a time on, over others, and the log that made it so. */
export interface MemberCircle {
  readonly group: number
  readonly over: readonly number[]
  readonly from: number
  readonly log: number
}

/** Circles that no write could see: a log that came late made the past so. */
export async function memberCircles(snapshot: Snapshot): Promise<readonly MemberCircle[]> {
  const all = await groupsInGroups(snapshot)
  const stays = new Map<number, GroupStay[]>()
  for (const stay of all) stays.set(stay.asset, [...(stays.get(stay.asset) ?? []), stay])
  return all.flatMap((stay) => {
    const over = wayBack(stays, stay)
    return over === undefined ? [] : [{ group: stay.asset, over, from: stay.from, log: stay.log }]
  })
}

/** From the group that is joined over those that it is in at that time, back to the one that joins. */
function wayBack(stays: ReadonlyMap<number, readonly GroupStay[]>, joining: GroupStay): readonly number[] | undefined {
  const ways = new Map<number, readonly number[]>([[joining.place, [joining.place]]])
  for (const [group, way] of ways) {
    if (group === joining.asset) return way.slice(0, -1)
    for (const { place, from, until } of stays.get(group) ?? []) {
      if (from <= joining.from && joining.from < until && !ways.has(place)) ways.set(place, [...way, place])
    }
  }
  return undefined
}
