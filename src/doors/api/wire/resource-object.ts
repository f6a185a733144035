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
  const relationships = Object.entries(drawn.relationships)
    .filter(isWanted)
    .map(([name, targets]) => [name, relationshipOf(drawn, name, { targets, speller })])
  return {
    type,
    id,
    links: { self: { href: addressOf(speller.base, type, id) + versionOf(drawn) } },
    attributes: Object.fromEntries(Object.entries(drawn.attributes).filter(isWanted)),
    ...(relationships.length === 0 ? {} : { relationships: Object.fromEntries(relationships) }),
  }
}

const versionOf = ({ revision }: Drawn): string => (revision === undefined ? '' : `?resourceVersion=id%3A${revision}`)

interface Relationship {
  readonly targets: Targets
  readonly speller: Speller
}

/** A relationship, as a resource shows it and as its own address does. */
export function relationshipOf(drawn: Drawn, name: string, { targets, speller }: Relationship): object {
  const { type, id } = drawn
  const { base } = speller
  return {
    data: linkageOf(targets, speller),
    links: {
      related: { href: addressOf(base, type, id, name) + versionOf(drawn) },
      self: { href: addressOf(base, type, id, 'relationships', name) + versionOf(drawn) },
    },
  }
}

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
