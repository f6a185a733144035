import type { LeftOut } from '../../../formats/map/feature.ts'
import type { Work } from '../../../records/writing/work.ts'
import type { MapFaults } from './map-faults.ts'
import type { MapImport } from './map-import.ts'
import type { Node, Parent } from './parents.ts'
import type { SentArea, SentMap } from './sent-areas.ts'

/** What became of a feature, or what was made because features lie in it. */
export interface Outcome {
  readonly node: Node
  readonly name: string
  readonly result: 'created' | 'changed' | 'unchanged'
  readonly id: number
  readonly uuid: string
  /** The map has no name for it: it was given one. */
  readonly isNamed?: true
}

export interface Importing {
  readonly map: SentMap
  readonly wish: MapImport
  /** The address of the farm, as far as it has one. */
  readonly base: string
}

export interface Context extends Importing {
  readonly work: Work
  readonly faults: MapFaults
  /** Counted anew where the transaction is run again. */
  readonly leftOut: LeftOut
  /** The numbers of the areas that are there by now. */
  readonly known: Map<Node, number>
}

/** A reference as it stands in a record; undefined where it is yet to be made. */
export function referenceFor(parent: Parent, known: ReadonlyMap<Node, number>): unknown {
  if (!('node' in parent)) return parent
  const id = known.get(parent.node)
  return id === undefined ? undefined : { id }
}

/** The feature that is called so in the map. */
export const areaAt = ({ areas }: SentMap, index: number): SentArea => areas[index] as SentArea
