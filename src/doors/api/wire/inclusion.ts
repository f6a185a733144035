import type { Farm } from '../../../farm/farm.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Path } from '../query/path.ts'
import { type Drawn, keyOf, listOf, type Thing } from './thing.ts'
import { relationshipsOfType } from './type-relationships.ts'

/** Draws things that others point to; what is gone is missing. */
export type Draw<D extends Drawn> = (things: readonly Thing[]) => Promise<readonly D[]>

/** Refuses a path that nothing of this type can lead along: where several types stand on the way, one that can is enough. */
export function refuseUnknownPaths(farm: Farm, type: string, paths: readonly Path[]): void {
  for (const path of paths) {
    let types: readonly string[] = [type]
    for (const name of path) {
      const known = types.map((one) => relationshipsOfType(farm, one))
      if (!known.some((relationships) => relationships.has(name)))
        throw badQuery('include', `${path.join('.')}: there is no relationship ${name} of ${types.join(', ')}`, [
          ...new Set(known.flatMap((relationships) => [...relationships.keys()])),
        ])
      types = [...new Set(known.flatMap((relationships) => relationships.get(name) ?? []))]
    }
  }
}

/** All that the paths lead to from these resources, each once, without those that are there already. */
export async function included<D extends Drawn>(
  primary: readonly D[],
  paths: readonly Path[],
  draw: Draw<D>,
): Promise<readonly D[]> {
  const known = new Map(primary.map((drawn) => [keyOf(drawn.thing), drawn]))
  const found = new Map<string, D>()
  for (const path of paths) {
    let standing = primary
    for (const name of path) {
      const things = new Map(
        standing.flatMap(({ relationships }) => listOf(relationships[name])).map((thing) => [keyOf(thing), thing]),
      )
      const missing = [...things].filter(([key]) => !known.has(key)).map(([, thing]) => thing)
      for (const drawn of missing.length === 0 ? [] : await draw(missing)) known.set(keyOf(drawn.thing), drawn)
      standing = [...things.keys()].flatMap((key) => known.get(key) ?? [])
      for (const drawn of standing) if (!primary.includes(drawn)) found.set(keyOf(drawn.thing), drawn)
    }
  }
  return [...found.values()]
}
