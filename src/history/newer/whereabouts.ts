import { combineWkt } from '../../fields/wkt/combination.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/history/point-in-time.ts'
import type { ByThing, Thing, Things, ThingType } from '../../storage/history/stay-rows.ts'
import { byType } from '../each-type.ts'
import { type Movement, thingsIn } from '../log-parts.ts'
import { movementsOf } from '../movements.ts'
import { type Standing, standingsOf } from './standing.ts'

/** Where something is in the newer generation: in areas and in assets that are places. */
export interface NewerWhereabouts {
  readonly places: readonly Thing[]
  /** Empty where there is none. */
  readonly geometry: string
}

/** Where these assets and areas are at that time, for a whole page at once; those that do not exist are missing. */
export async function newerWhereabouts(
  snapshot: Snapshot,
  things: readonly Things[],
  time: PointInTime,
): Promise<ByThing<NewerWhereabouts>> {
  const shapes = await shapesAt(snapshot, things, time)
  const of = (type: ThingType) => {
    const ids = new Set(things.flatMap((some) => (some.type === type ? some.ids : [])))
    return new Map(
      [...ids].flatMap((id) => {
        const thing = { type, id }
        return shapes.standingOf(thing) === undefined
          ? []
          : [[id, { places: shapes.placesOf(thing), geometry: shapes.geometryOf([thing]) }] as const]
      }),
    )
  }
  return { asset: of('asset'), term: of('term') }
}

/** Through so many places, each in the next, a shape is looked for. */
const mostSteps = 10

interface Known {
  readonly standing: Standing
  readonly movement: Movement | undefined
}

/** What is known of things, and of the places that they are in as far as their shapes depend on those. */
export async function shapesAt(snapshot: Snapshot, things: readonly Things[], time: PointInTime): Promise<Shapes> {
  const known = new Map<string, Known>()
  let level = things
  for (let step = 0; step <= mostSteps && level.some(({ ids }) => ids.length > 0); step++) {
    const standings = await standingsOf(snapshot, level)
    const movable = level.map(({ type, ids }) => ({
      type,
      ids: ids.filter((id) => standings[type].get(id)?.drawn === undefined),
    }))
    const moved = await movementsOf(snapshot, movable, { time, groups: 'followed' })
    for (const { type, ids } of level) {
      for (const id of ids) {
        const standing = standings[type].get(id)
        if (standing !== undefined) known.set(nameOf({ type, id }), { standing, movement: moved[type].get(id) })
      }
    }
    const shapeless = [...moved.asset.values(), ...moved.term.values()].filter(({ geometry }) => geometry === '')
    level = byType(shapeless.flatMap(thingsIn).filter((place) => !known.has(nameOf(place))))
  }
  return new Shapes(known)
}

const nameOf = ({ type, id }: Thing): string => `${type} ${id}`

class Shapes {
  readonly #known: ReadonlyMap<string, Known>
  readonly #combined = new Map<string, string>()

  constructor(known: ReadonlyMap<string, Known>) {
    this.#known = known
  }

  standingOf(thing: Thing): Standing | undefined {
    return this.#known.get(nameOf(thing))?.standing
  }

  /** None of what is fixed: it is where it was drawn. */
  placesOf(thing: Thing): readonly Thing[] {
    const movement = this.#known.get(nameOf(thing))?.movement
    return movement === undefined ? [] : thingsIn(movement)
  }

  /** That of several things together. What many are in is put together once. */
  geometryOf(things: readonly Thing[]): string {
    const shapes = this.#shapesOf(things)
    if (shapes.length <= 1) return shapes[0] ?? ''
    const key = shapes.join()
    const geometry = this.#combined.get(key) ?? combineWkt(shapes)
    this.#combined.set(key, geometry)
    return geometry
  }

  /** Their own, or else those of the places that they are in; each place once, so that a circle ends too. */
  #shapesOf(things: readonly Thing[]): readonly string[] {
    const shapes: string[] = []
    const seen = new Set<string>()
    let level = things
    for (let step = 0; step <= mostSteps && level.length > 0; step++) {
      const places: Thing[] = []
      for (const thing of level) {
        if (seen.has(nameOf(thing))) continue
        seen.add(nameOf(thing))
        const { standing, movement } = this.#known.get(nameOf(thing)) ?? {}
        if (standing?.drawn !== undefined) shapes.push(...standing.drawn)
        else if (movement !== undefined && movement.geometry !== '') shapes.push(movement.geometry)
        else if (movement !== undefined) places.push(...thingsIn(movement))
      }
      level = places
    }
    return shapes
  }
}
