import { kibibyte, mebibyte } from '../../../fields/byte-size.ts'
import { type FarmState, isPresent, wordOf } from '../../../storage/farm-state.ts'
import { SnapshotCache } from '../../../storage/snapshot-cache.ts'
import type { SparseFields } from '../query-parameters.ts'
import {
  type ApiResource,
  type Identifier,
  identifiersOf,
  keyOf,
  type ResourceRef,
  refsIn,
  type Targets,
} from './identifiers.ts'
import type { ReadContext } from './implied-values.ts'
import { resourcesOf } from './resources.ts'

/** Everything needed to render a resource. */
interface ResourceSpeller {
  readonly base: string
  readonly identifiers: ReadonlyMap<string, Identifier>
  readonly sparse: SparseFields
}

/** The address of a resource or of a type. */
export const addressOf = (base: string, type: string, ...inside: readonly string[]): string =>
  [`${base}/api`, ...type.split('--'), ...inside].join('/')

export function resourceObject(drawn: ApiResource, speller: ResourceSpeller): object {
  const { type, id } = drawn
  const wanted = speller.sparse.get(type)
  const isWanted = ([name]: readonly [string, unknown]) => wanted === undefined || wanted.has(name)
  const address = addressOf(speller.base, type, id)
  const version = versionOf(drawn)
  const relationships = Object.entries(drawn.relationships)
    .filter(isWanted)
    .map(([name, targets]) => [name, { data: linkageOf(targets, speller), links: linksOf(name, { address, version }) }])
  return {
    type,
    id,
    links: { self: { href: address + version } },
    attributes: Object.fromEntries(Object.entries(drawn.attributes).filter(isWanted)),
    ...(relationships.length === 0 ? {} : { relationships: Object.fromEntries(relationships) }),
  }
}

const versionOf = ({ revision }: ApiResource): string =>
  revision === undefined ? '' : `?resourceVersion=id%3A${revision}`

interface Relationship {
  readonly targets: Targets
  readonly speller: ResourceSpeller
}

/** A relationship, as its own address shows it. */
export function relationshipOf(drawn: ApiResource, name: string, { targets, speller }: Relationship): object {
  const address = addressOf(speller.base, drawn.type, drawn.id)
  return { data: linkageOf(targets, speller), links: linksOf(name, { address, version: versionOf(drawn) }) }
}

interface ResourceAddress {
  readonly address: string
  readonly version: string
}

const linksOf = (name: string, { address, version }: ResourceAddress) => ({
  related: { href: `${address}/${name}${version}` },
  self: { href: `${address}/relationships/${name}${version}` },
})

const linkageOf = (targets: Targets, speller: ResourceSpeller): unknown =>
  targets === null
    ? null
    : 'of' in targets
      ? identifierOf(targets, speller)
      : targets.map((one) => identifierOf(one, speller))

function identifierOf(thing: ResourceRef, { identifiers }: ResourceSpeller): object {
  const known = identifiers.get(keyOf(thing))
  if (known === undefined) return { type: 'unknown', id: 'missing', meta: {} }
  const { meta, as = 'file' } = thing.of === 'config' ? {} : thing
  return { type: known.type, id: known.id, meta: { ...meta, ...known.shownAs?.[as], ...known.meta } }
}

/** A resource, and its JSON. */
export interface ShownResource extends ApiResource {
  readonly text: string
}

/** Cache size. No larger resource is cached: those are coastlines. */
const mostCharacters = 8 * mebibyte
const largest = 64 * kibibyte

interface ResourceTextOptions {
  readonly base: string
  readonly sparse: SparseFields
  readonly state: FarmState
}

/**
 * Rendered resources. Those of records are cached while the snapshot's version of the farm is the same; users can
 * change without it, so they are not.
 */
export class ResourceTexts {
  readonly #shown = new SnapshotCache<string, ShownResource>(mostCharacters)

  /** Existing resources in the given order. */
  async of(
    reading: ReadContext,
    things: readonly ResourceRef[],
    spelling: ResourceTextOptions,
  ): Promise<readonly ShownResource[]> {
    const word = wordOf(spelling.state)
    const known = this.#shown.knownIn(word)
    const isKept = isPresent(reading.time) && spelling.sparse.size === 0
    const nameOf = (thing: ResourceRef) => `${spelling.base} ${keyOf(thing)}`
    const missing = isKept ? things.filter((thing) => !known.has(nameOf(thing))) : things
    const made = new Map<string, ShownResource>()
    for (const shown of missing.length === 0
      ? []
      : await resourceTexts(reading, await resourcesOf(reading, missing), spelling)) {
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

const isRecord = ({ of }: ResourceRef): boolean => of !== 'user' && of !== 'file' && of !== 'config'

/** The JSON of resources, with the identifiers of their targets. */
export async function resourceTexts(
  { snapshot, installation }: ReadContext,
  all: readonly ApiResource[],
  { base, sparse }: Pick<ResourceTextOptions, 'base' | 'sparse'>,
): Promise<readonly ShownResource[]> {
  const things = all.flatMap(({ relationships }) => Object.values(relationships).flatMap(refsIn))
  const identifiers = await identifiersOf(snapshot, installation.farm, things)
  return all.map((drawn) => ({ ...drawn, text: JSON.stringify(resourceObject(drawn, { base, identifiers, sparse })) }))
}
