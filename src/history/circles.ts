import type { Snapshot } from '../storage/database.ts'
import { type Inside, placesInPlaces, type StayKind, type Thing } from '../storage/history/stay-rows.ts'

/** A thing that is inside itself from a time on, over others, and the log that made it so. */
export interface Circle {
  readonly thing: Thing
  readonly over: readonly Thing[]
  readonly from: number
  readonly log: number
}

/** Circles that no write could see: a log that came late made the past so. */
export async function circlesOf(snapshot: Snapshot, kind: StayKind): Promise<readonly Circle[]> {
  const all = await placesInPlaces(snapshot, kind)
  const stays = new Map<string, Inside[]>()
  for (const stay of all) stays.set(nameOf(stay.thing), [...(stays.get(nameOf(stay.thing)) ?? []), stay])
  return all.flatMap((stay) => {
    const over = wayBack(stays, stay)
    return over === undefined ? [] : [{ thing: stay.thing, over, from: stay.from, log: stay.log }]
  })
}

const nameOf = ({ type, id }: Thing): string => `${type} ${id}`

/** From the place over those that it is in at that time, back to what is put there. */
function wayBack(stays: ReadonlyMap<string, readonly Inside[]>, begun: Inside): readonly Thing[] | undefined {
  const ways = new Map<string, readonly Thing[]>([[nameOf(begun.place), [begun.place]]])
  for (const [name, way] of ways) {
    if (name === nameOf(begun.thing)) return way.slice(0, -1)
    for (const { place, from, until } of stays.get(name) ?? []) {
      if (from <= begun.from && begun.from < until && !ways.has(nameOf(place))) ways.set(nameOf(place), [...way, place])
    }
  }
  return undefined
}
