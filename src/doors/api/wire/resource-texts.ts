import { kibibyte, mebibyte } from '../../../fields/byte-size.ts'
import { type FarmState, wordOf } from '../../../storage/farm-state.ts'
import { isPresent } from '../../../storage/history/point-in-time.ts'
import { SnapshotCache } from '../../http/answers/snapshot-cache.ts'
import type { SparseFields } from '../query/sparse-fields.ts'
import { drawThings } from './draw-things.ts'
import { identifiersOf } from './identifiers.ts'
import type { ReadContext } from './implied.ts'
import { resourceObject } from './resource-object.ts'
import { type Drawn, keyOf, listOf, type Thing } from './thing.ts'

/** A resource, and its JSON. */
export interface ShownResource extends Drawn {
  readonly text: string
}

/** More than this is not kept, and no larger resource: those are coastlines. */
const mostCharacters = 8 * mebibyte
const largest = 64 * kibibyte

export interface Spelling {
  readonly base: string
  readonly sparse: SparseFields
  readonly state: FarmState
}

/**
 * Resources as they are shown. Those of records are shown again for as long as the snapshot that is read from says that the
 * farm is in the same state; what is shown of users may change without that.
 */
export class ResourceTexts {
  readonly #shown = new SnapshotCache<string, ShownResource>(mostCharacters)

  /** Those of these things that are there, in that order. */
  async of(reading: ReadContext, things: readonly Thing[], spelling: Spelling): Promise<readonly ShownResource[]> {
    const word = wordOf(spelling.state)
    const known = this.#shown.knownIn(word)
    const isKept = isPresent(reading.time) && spelling.sparse.size === 0
    const nameOf = (thing: Thing) => `${spelling.base} ${keyOf(thing)}`
    const missing = isKept ? things.filter((thing) => !known.has(nameOf(thing))) : things
    const made = new Map<string, ShownResource>()
    for (const shown of missing.length === 0
      ? []
      : await spelled(reading, await drawThings(reading, missing), spelling)) {
      made.set(nameOf(shown.thing), shown)
    }
    const all = things.flatMap(
      (thing) => (isKept ? known.get(nameOf(thing)) : undefined) ?? made.get(nameOf(thing)) ?? [],
    )
    for (const [name, value] of isKept ? made : []) {
      if (isRecord(value.thing) && value.text.length <= largest)
        this.#shown.keep(word, name, { value, weight: value.text.length })
    }
    return all
  }
}

const isRecord = ({ of }: Thing): boolean => of !== 'user' && of !== 'file' && of !== 'config'

/** The JSON of resources, with what those are called that they point to. */
export async function spelled(
  { snapshot, installation }: ReadContext,
  all: readonly Drawn[],
  { base, sparse }: Pick<Spelling, 'base' | 'sparse'>,
): Promise<readonly ShownResource[]> {
  const things = all.flatMap(({ relationships }) => Object.values(relationships).flatMap(listOf))
  const identifiers = await identifiersOf(snapshot, installation.farm, things)
  return all.map((drawn) => ({ ...drawn, text: JSON.stringify(resourceObject(drawn, { base, identifiers, sparse })) }))
}
