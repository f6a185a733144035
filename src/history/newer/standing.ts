import type { areaFields } from '../../farm/areas/areas.ts'
import type { standardFields } from '../../farm/assets/standard-fields.ts'
import type { Values } from '../../fields/value.ts'
import type { ValuesOf } from '../../fields/value-of.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { ByThing, Thing, Things, ThingType } from '../../storage/history/stay-rows.ts'
import { fieldsByIds } from '../../storage/records/record-rows.ts'
import { eachType } from '../each-type.ts'
import { shapesOf } from '../location.ts'

/** What an asset or an area says of itself. */
export interface Standing {
  /** Whether things can be put into it. */
  readonly isPlace: boolean
  /** Where it is fixed: the shapes it was drawn in. What is not goes where the logs say. */
  readonly drawn?: readonly string[]
}

/** What each of these says of itself; those that do not exist are missing. */
export const standingsOf = (snapshot: Snapshot, things: readonly Things[]): Promise<ByThing<Standing>> =>
  eachType(things, async ({ type, ids }) => {
    const found = await fieldsByIds(snapshot, type, ids)
    return new Map([...found].map(([id, values]) => [id, standingIn[type](values)]))
  })

// The values of an asset and of an area are what the catalogue says.
const standingIn: Readonly<Record<ThingType, (values: Values) => Standing>> = {
  asset: (values) => {
    const { is_location, is_fixed, intrinsic_geometry } = values as ValuesOf<typeof standardFields>
    const drawn = intrinsic_geometry === undefined ? [] : [intrinsic_geometry]
    return { isPlace: is_location === true, ...(is_fixed === true ? { drawn } : {}) }
  },
  term: (values) => {
    const { is_no_location, is_movable } = values as ValuesOf<typeof areaFields>
    return { isPlace: is_no_location !== true, ...(is_movable === true ? {} : { drawn: shapesOf(values) }) }
  },
}

/** Those of them that nothing can be put into, as the newer generation has it. */
export async function thatAreNoPlaces(snapshot: Snapshot, things: readonly Things[]): Promise<readonly Thing[]> {
  const standings = await standingsOf(snapshot, things)
  return things.flatMap(({ type, ids }) =>
    ids.flatMap((id) => (standings[type].get(id)?.isPlace === true ? [] : [{ type, id }])),
  )
}
