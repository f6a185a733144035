/** What a record can refer to, and what each generation calls it. */
export interface Thing {
  readonly family: Family
  readonly uuid: string
  /** As the record interface numbers it. */
  readonly number: number
  /** Its type in the newer generation. */
  readonly newerType: string
  readonly name: string
}

export type Family = 'asset' | 'area' | 'term' | 'log' | 'user'

/** The record interface has areas among the terms. */
export const olderResource: Readonly<Record<Family, string>> = {
  asset: 'farm_asset',
  area: 'taxonomy_term',
  term: 'taxonomy_term',
  log: 'log',
  user: 'user',
}

/** Areas are assets of the newer generation, whose numbers are out of the way of those of assets. */
export const newerNumber = ({ family, number }: Pick<Thing, 'family' | 'number'>): number =>
  family === 'area' ? 1_000_000_000 + number : number

export const olderSent = ({ number }: Thing): object => ({ id: String(number) })

export const olderShown = (base: string) => (thing: Thing) => ({
  uri: `${base}/${olderResource[thing.family]}/${thing.number}`,
  id: String(thing.number),
  resource: olderResource[thing.family],
  ...(thing.family === 'term' || thing.family === 'area' ? { name: thing.name } : {}),
})

export const newerSent = ({ newerType, uuid }: Thing): object => ({ type: newerType, id: uuid })

export const newerShown = (thing: Thing) => ({
  ...newerSent(thing),
  meta: { drupal_internal__target_id: newerNumber(thing) },
})
