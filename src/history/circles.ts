import type { Snapshot } from '../storage/database.ts'
import { inThePast } from '../storage/farm-state.ts'
import { type NestedPlace, type PlacedThing, placesInPlaces, type StayKind } from '../storage/history/stay-rows.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { byType, insideItself, isDone, momentOf, movementOf, thingsIn, thingsOf } from './implications.ts'
import { newerWhereabouts } from './newer/whereabouts.ts'

/** A thing that contains itself from a time on, through others, and the log that caused it. */
interface Circle {
  readonly thing: PlacedThing
  readonly over: readonly PlacedThing[]
  readonly from: number
  readonly log: number
}

/** Cycles that no write could detect: a log entered late changed the past. */
export async function circlesOf(snapshot: Snapshot, kind: StayKind): Promise<readonly Circle[]> {
  const all = await placesInPlaces(snapshot, kind)
  const stays = new Map<string, NestedPlace[]>()
  for (const stay of all) stays.set(nameOf(stay.thing), [...(stays.get(nameOf(stay.thing)) ?? []), stay])
  return all.flatMap((stay) => {
    const over = wayBack(stays, stay)
    return over === undefined ? [] : [{ thing: stay.thing, over, from: stay.from, log: stay.log }]
  })
}

const nameOf = ({ type, id }: PlacedThing): string => `${type} ${id}`

/** The path from the place back to the thing that was put there, through what contains what at that time. */
function wayBack(
  stays: ReadonlyMap<string, readonly NestedPlace[]>,
  begun: NestedPlace,
): readonly PlacedThing[] | undefined {
  const ways = new Map<string, readonly PlacedThing[]>([[nameOf(begun.place), [begun.place]]])
  for (const [name, way] of ways) {
    if (name === nameOf(begun.thing)) return way.slice(0, -1)
    for (const { place, from, until } of stays.get(name) ?? []) {
      if (from <= begun.from && begun.from < until && !ways.has(nameOf(place))) ways.set(nameOf(place), [...way, place])
    }
  }
  return undefined
}

/**
 * Refuses to put a thing into something that it contains, from the time of the log on. Runs after the log is written,
 * so that its new content counts. Only /api has moving areas and assets as places, so its rules decide.
 */
export async function refuseOwnPlaces(snapshot: Snapshot, log: StoredRecord): Promise<void> {
  const movement = movementOf(log.values)
  if (movement === undefined || !isDone(log.values)) return
  const moved = new Set(thingsOf(log.values).flatMap(({ type, ids }) => ids.map((id) => nameOf({ type, id }))))
  const time = inThePast(momentOf(log.values))
  const seen = new Set<string>()
  for (const first of thingsIn(movement)) {
    let level: readonly PlacedThing[] = [first]
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
