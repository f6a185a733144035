import type { SparseFields } from '../query/sparse-fields.ts'
import type { Identifier } from './identifiers.ts'
import { type Drawn, keyOf, type Targets, type Thing } from './thing.ts'

/** What spelling a resource takes beside the resource. */
export interface Speller {
  readonly base: string
  readonly identifiers: ReadonlyMap<string, Identifier>
  readonly sparse: SparseFields
}

/** The address of a resource, or of a type of them. */
export const addressOf = (base: string, type: string, ...inside: readonly string[]): string =>
  [`${base}/api`, ...type.split('--'), ...inside].join('/')

export function resourceObject(drawn: Drawn, speller: Speller): object {
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

const versionOf = ({ revision }: Drawn): string => (revision === undefined ? '' : `?resourceVersion=id%3A${revision}`)

interface Relationship {
  readonly targets: Targets
  readonly speller: Speller
}

/** A relationship, as its own address shows it. */
export function relationshipOf(drawn: Drawn, name: string, { targets, speller }: Relationship): object {
  const address = addressOf(speller.base, drawn.type, drawn.id)
  return { data: linkageOf(targets, speller), links: linksOf(name, { address, version: versionOf(drawn) }) }
}

interface OfResource {
  readonly address: string
  readonly version: string
}

const linksOf = (name: string, { address, version }: OfResource) => ({
  related: { href: `${address}/${name}${version}` },
  self: { href: `${address}/relationships/${name}${version}` },
})

const linkageOf = (targets: Targets, speller: Speller): unknown =>
  targets === null
    ? null
    : 'of' in targets
      ? identifierOf(targets, speller)
      : targets.map((one) => identifierOf(one, speller))

function identifierOf(thing: Thing, { identifiers }: Speller): object {
  const known = identifiers.get(keyOf(thing))
  if (known === undefined) return { type: 'unknown', id: 'missing', meta: {} }
  const { meta, as = 'file' } = thing.of === 'config' ? {} : thing
  return { type: known.type, id: known.id, meta: { ...meta, ...known.shownAs?.[as], ...known.meta } }
}
