import type { RecordTypeName } from '../../farm/farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { isTree, type Tree } from '../../fields/place.ts'

/** What is listed on the other server, and what its number is called there. */
export interface Kind {
  readonly resource: string
  readonly idName: 'id' | 'tid' | 'uid' | 'vid'
  /** What it is called when progress is told. */
  readonly label: string
  /** Whether it says when it was changed. */
  readonly changes?: true
}

export const vocabularies: Kind = { resource: resourceNames.vocabulary, idName: 'vid', label: 'vocabularies' }
export const users: Kind = { resource: resourceNames.user, idName: 'uid', label: 'accounts' }

export const recordKinds: Readonly<Record<'term' | 'asset' | 'log', Kind>> = {
  term: { resource: resourceNames.term, idName: 'tid', label: 'terms' },
  asset: { resource: resourceNames.asset, idName: 'id', label: 'assets', changes: true },
  log: { resource: resourceNames.log, idName: 'id', label: 'logs', changes: true },
}

/** The types of records in the order in which they are read: what others refer to first. */
export const readTypes = ['term', 'asset', 'log'] as const satisfies readonly RecordTypeName[]
export type ReadType = (typeof readTypes)[number]

export const kinds: readonly Kind[] = [vocabularies, users, ...readTypes.map((type) => recordKinds[type])]

/** A number that is written as a number or in digits. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : /^-?\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** What a reference leads to. */
export const idIn = (value: unknown): number | undefined => numberIn(isTree(value) ? value.id : value)

/** The things of a list, by their numbers; those without one are nobody, such as the anonymous user. */
export function numbered(list: unknown, { idName }: Kind): ReadonlyMap<number, Tree> {
  const items = Array.isArray(list) ? list.filter(isTree) : []
  return new Map(
    items.flatMap((item) => {
      const id = numberIn(item[idName] ?? item.id)
      return id === undefined || id <= 0 ? [] : [[id, item] as const]
    }),
  )
}
