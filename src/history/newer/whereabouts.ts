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

/** A location in /api: areas, and assets that are places. */
interface NewerWhereabouts {
  readonly places: readonly PlacedThing[]
  /** Empty if there is none. */
  readonly geometry: string
}

/** The location of these assets and areas at that time, for a whole page at once; missing ones are left out. */
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

/** Maximum depth of nested places when looking for a geometry. */
const mostSteps = 10

interface ThingState {
  readonly standing: PlaceState
  readonly movement: Movement | undefined
}

/** The state of things, and of the places that their geometries depend on. */
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

  /** Empty for a fixed thing: it stays at its own geometry. */
  placesOf(thing: PlacedThing): readonly PlacedThing[] {
    const movement = this.#known.get(nameOf(thing))?.movement
    return movement === undefined ? [] : thingsIn(movement)
  }

  /** The combined geometry of several things. Cached, because many share a place. */
  geometryOf(things: readonly PlacedThing[]): string {
    const shapes = this.#shapesOf(things)
    if (shapes.length <= 1) return shapes[0] ?? ''
    const key = shapes.join()
    const geometry = this.#combined.get(key) ?? combineWkt(shapes)
    this.#combined.set(key, geometry)
    return geometry
  }

  /** Their own geometries, else those of their places. Visits each place once, so that a cycle ends. */
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

interface PlaceState {
  /** True if things can be put into it. */
  readonly isPlace: boolean
  /** The geometry of a fixed thing. Others move by their logs. */
  readonly drawn?: readonly string[]
}

/** Missing ones are left out. */
const standingsOf = (snapshot: Snapshot, things: readonly PlacedThings[]): Promise<ByThing<PlaceState>> =>
  eachType(things, async ({ type, ids }) => {
    const found = await fieldsByIds(snapshot, type, ids)
    return new Map([...found].map(([id, values]) => [id, standingIn[type](values)]))
  })

// The cast is safe: the catalogue defines the values of assets and areas.
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

/** The things among them that are no places in /api. */
export async function thatAreNoPlaces(
  snapshot: Snapshot,
  things: readonly PlacedThings[],
): Promise<readonly PlacedThing[]> {
  const standings = await standingsOf(snapshot, things)
  return things.flatMap(({ type, ids }) =>
    ids.flatMap((id) => (standings[type].get(id)?.isPlace === true ? [] : [{ type, id }])),
  )
}
