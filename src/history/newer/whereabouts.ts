import type { areaFields } from '../../farm/areas/areas.ts'
import type { standardFields } from '../../farm/assets/standard-fields.ts'
import type { Values, ValuesOfFields } from '../../fields/value.ts'
import { combineWkt } from '../../fields/wkt/combination.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/farm-state.ts'
import type { ByThing, PlacedThing, PlacedThings, ThingType } from '../../storage/history/stay-rows.ts'
import { fieldsByIds } from '../../storage/records/record-rows.ts'
import { byType, eachType, type Movement, thingsIn } from '../implications.ts'
import { movementsOf, shapesOf } from '../location.ts'

/** Where something is in the newer generation: in areas and in assets that are places. */
interface NewerWhereabouts {
  readonly places: readonly PlacedThing[]
  /** Empty where there is none. */
  readonly geometry: string
}

/** Where these assets and areas are at that time, for a whole page at once; those that do not exist are missing. */
export async function newerWhereabouts(
  snapshot: Snapshot,
  things: readonly PlacedThings[],
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

interface ThingState {
  readonly standing: PlaceState
  readonly movement: Movement | undefined
}

/** What is known of things, and of the places that they are in as far as their shapes depend on those. */
export async function shapesAt(
  snapshot: Snapshot,
  things: readonly PlacedThings[],
  time: PointInTime,
): Promise<Shapes> {
  const known = new Map<string, ThingState>()
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

const nameOf = ({ type, id }: PlacedThing): string => `${type} ${id}`

class Shapes {
  readonly #known: ReadonlyMap<string, ThingState>
  readonly #combined = new Map<string, string>()

  constructor(known: ReadonlyMap<string, ThingState>) {
    this.#known = known
  }

  standingOf(thing: PlacedThing): PlaceState | undefined {
    return this.#known.get(nameOf(thing))?.standing
  }

  /** None of what is fixed: it is where it was drawn. */
  placesOf(thing: PlacedThing): readonly PlacedThing[] {
    const movement = this.#known.get(nameOf(thing))?.movement
    return movement === undefined ? [] : thingsIn(movement)
  }

  /** That of several things together. What many are in is put together once. */
  geometryOf(things: readonly PlacedThing[]): string {
    const shapes = this.#shapesOf(things)
    if (shapes.length <= 1) return shapes[0] ?? ''
    const key = shapes.join()
    const geometry = this.#combined.get(key) ?? combineWkt(shapes)
    this.#combined.set(key, geometry)
    return geometry
  }

  /** Their own, or else those of the places that they are in; each place once, so that a circle ends too. */
  #shapesOf(things: readonly PlacedThing[]): readonly string[] {
    const shapes: string[] = []
    const seen = new Set<string>()
    let level = things
    for (let step = 0; step <= mostSteps && level.length > 0; step++) {
      const places: PlacedThing[] = []
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

/** What an asset or an area says of itself. */
interface PlaceState {
  /** Whether things can be put into it. */
  readonly isPlace: boolean
  /** Where it is fixed: the shapes it was drawn in. What is not goes where the logs say. */
  readonly drawn?: readonly string[]
}

/** What each of these says of itself; those that do not exist are missing. */
const standingsOf = (snapshot: Snapshot, things: readonly PlacedThings[]): Promise<ByThing<PlaceState>> =>
  eachType(things, async ({ type, ids }) => {
    const found = await fieldsByIds(snapshot, type, ids)
    return new Map([...found].map(([id, values]) => [id, standingIn[type](values)]))
  })

// The values of an asset and of an area are what the catalogue says.
const standingIn: Readonly<Record<ThingType, (values: Values) => PlaceState>> = {
  asset: (values) => {
    const { is_location, is_fixed, intrinsic_geometry } = values as ValuesOfFields<typeof standardFields>
    const drawn = intrinsic_geometry === undefined ? [] : [intrinsic_geometry]
    return { isPlace: is_location === true, ...(is_fixed === true ? { drawn } : {}) }
  },
  term: (values) => {
    const { is_no_location, is_movable } = values as ValuesOfFields<typeof areaFields>
    return { isPlace: is_no_location !== true, ...(is_movable === true ? {} : { drawn: shapesOf(values) }) }
  },
}

/** Those of them that nothing can be put into, as the newer generation has it. */
export async function thatAreNoPlaces(
  snapshot: Snapshot,
  things: readonly PlacedThings[],
): Promise<readonly PlacedThing[]> {
  const standings = await standingsOf(snapshot, things)
  return things.flatMap(({ type, ids }) =>
    ids.flatMap((id) => (standings[type].get(id)?.isPlace === true ? [] : [{ type, id }])),
  )
}
