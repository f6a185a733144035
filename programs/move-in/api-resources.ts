import { isTree, type Tree } from '../../src/fields/place.ts'
import type { JsonLinesStore } from './json-lines-store.ts'

/** Families of JSON:API that are moved, in reading order. */
export const sourceFamilies = ['taxonomy_term', 'asset', 'quantity', 'log', 'user', 'file'] as const
export type SourceFamily = (typeof sourceFamilies)[number]

/** One list of the source, such as that of `log--harvest`. */
export interface ResourceList {
  readonly name: string
  readonly family: SourceFamily
  readonly bundle: string
  readonly path: string
}

export const labelOf = ({ family }: Pick<ResourceList, 'family'>): string =>
  family === 'taxonomy_term' ? 'terms' : family === 'quantity' ? 'quantities' : `${family}s`

/** A resource as it is kept: without links, and with the bare targets of its relationships. */
export interface SourceResource {
  readonly type: string
  readonly id: string
  readonly attributes: Tree
  readonly relationships: Tree
  /** Its own type, where it is shown as one that this farm knows. */
  readonly unknownType?: string
}

/** Keys of resources whose number is not shown are above this. */
export const unnumberedKeys = 2 ** 40

/** Everything read from a server of the newer generation. */
export interface ApiFarm {
  readonly entry: Tree
  readonly isFurrow: boolean
  readonly lists: readonly ResourceList[]
  readonly resources: Readonly<Record<SourceFamily, JsonLinesStore>>
  /** The server's own JSON Schema of each record type that it describes. */
  readonly schemas: ReadonlyMap<string, Tree>
  /** Addresses of records that the server does not show to this account. */
  readonly hidden: readonly string[]
}

/** The resources of a family, in the order of their numbers. */
export function* resourcesIn(farm: ApiFarm, family: SourceFamily): Generator<readonly [number, SourceResource]> {
  // The reader keeps nothing else in these files.
  for (const [key, item] of farm.resources[family].all()) yield [key, item as unknown as SourceResource]
}

export interface SourceTarget {
  readonly type: string
  readonly id: string
  readonly meta: Tree
}

/** The targets of a relationship, without the root of a vocabulary. */
export function targetsOf({ relationships }: SourceResource, name: string): readonly SourceTarget[] {
  const data = relationships[name]
  return (Array.isArray(data) ? data : [data]).flatMap((one) =>
    isTree(one) && typeof one.id === 'string' && one.id !== 'virtual'
      ? [{ type: String(one.type), id: one.id.toLowerCase(), meta: isTree(one.meta) ? one.meta : {} }]
      : [],
  )
}
