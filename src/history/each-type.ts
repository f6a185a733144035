import { type ByThing, type PlacedThing, type PlacedThings, thingTypes } from '../storage/history/stay-rows.ts'

/** Works something out for assets and for areas, each of them once. */
export async function eachType<T>(
  things: readonly PlacedThings[],
  workOut: (some: PlacedThings) => Promise<ReadonlyMap<number, T>>,
): Promise<ByThing<T>> {
  const of = (type: PlacedThings['type']) => {
    const ids = [...new Set(things.flatMap((some) => (some.type === type ? some.ids : [])))]
    return ids.length === 0 ? new Map<number, T>() : workOut({ type, ids })
  }
  return { asset: await of('asset'), term: await of('term') }
}

/** Single ones as assets and areas, each once. */
export const byType = (things: readonly PlacedThing[]): readonly PlacedThings[] =>
  thingTypes.map((type) => ({
    type,
    ids: [...new Set(things.flatMap((thing) => (thing.type === type ? [thing.id] : [])))],
  }))
