import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LeftOut } from '../../../formats/map/feature.ts'
import type { Work } from '../../../records/writing/work.ts'
import { Pauses } from '../../../storage/pauses.ts'
import { AreaChanges } from './area-changes.ts'
import { AreaCreations } from './area-creations.ts'
import type { Importing, Outcome } from './importing.ts'
import { layersOf } from './layers.ts'
import { MapFaults } from './map-faults.ts'
import { matchedAreas } from './matching.ts'
import { type Node, type Parent, Parents } from './parents.ts'

export interface Imported {
  readonly outcomes: readonly Outcome[]
  readonly leftOut: LeftOut
}

/** So many are written at a time; others are answered in between. */
const atOnce = 100

/** Makes and changes the areas that a map stands for, as a part of a transaction; where anything is wrong, nothing is. */
export async function importAreas(work: Work, { map, wish, base }: Importing): Promise<Imported> {
  const leftOut = map.leftOut.copy()
  const faults = new MapFaults()
  for (const { index, fault } of map.areas)
    if (fault !== undefined) faults.add(index, { field: 'geometry', message: fault })
  const matched = await matchedAreas(work.tx, { areas: map.areas, wish, faults })
  const parents = await Parents.among(work.tx, map.areas, { wish, faults })
  const fresh = map.areas.filter(({ index }) => !matched.has(index))
  const pauses = new Pauses()
  const wanted = new Map<Node, readonly Parent[]>()
  for (const area of fresh) {
    wanted.set(area.index, parents.ofNew(area))
    await pauses.ifDue()
  }
  for (const [path, unmade] of parents.unmade) wanted.set(path, unmade.parents)
  const { layers, left } = layersOf(wanted)
  for (const node of left)
    if (typeof node === 'number') faults.add(node, { field: 'parent', message: 'would put the area below itself' })
  const known = new Map<Node, number>(matched)
  const context = { work, wish, base, map, leftOut, faults, known }
  const creations = new AreaCreations(context, { parents, wanted })
  const outcomes: Outcome[] = []
  for (const nodes of layers.flatMap(inSlices)) {
    outcomes.push(...(await creations.make(nodes)))
    await nextTurn()
  }
  const changes = new AreaChanges(context, parents)
  for (const areas of inSlices(map.areas.filter(({ index }) => matched.has(index)))) {
    outcomes.push(...(await changes.make(areas)))
    await nextTurn()
  }
  faults.refuse()
  return { outcomes: outcomes.toSorted(inTheOrderOfTheMap), leftOut }
}

const inSlices = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, slice) => all.slice(slice * atOnce, (slice + 1) * atOnce))

/** What was made for others comes last. */
const inTheOrderOfTheMap = ({ node }: Outcome, { node: other }: Outcome): number => placeOf(node) - placeOf(other)

const placeOf = (node: Node): number => (typeof node === 'number' ? node : Number.MAX_SAFE_INTEGER)
