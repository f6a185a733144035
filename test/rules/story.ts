import * as fc from 'fast-check'

/** A farm is small here, so that the same assets, areas and moments meet again and again. Everything is named by its place in a list. */
export const assetCount = 4
export const areaCount = 3
export const groupCount = 2

/** The moments of a story, in seconds from its middle: two logs often share one. */
export const moments: readonly number[] = [-40, -30, -20, -10, 0, 10, 20, 30]

export const areaShapes: readonly string[] = [
  'POINT (1 2)',
  'POINT (3.5 -4)',
  'POLYGON ((0 0, 2 0, 2 2, 0 0))',
  'POLYGON ((5 5, 7 5, 7 7, 5 5), (5.5 5.2, 6 5.2, 6 5.4, 5.5 5.2))',
  'LINESTRING (0 0, 9 9)',
]

export interface LogTold {
  readonly done: boolean
  readonly moment: number
  readonly assets: readonly number[]
  readonly areas: readonly number[]
  readonly geometry: string
  readonly groups: readonly number[]
  readonly inventory: readonly { readonly asset: number; readonly value: string }[]
}

export type Step =
  | { readonly does: 'record'; readonly logs: readonly LogTold[] }
  | { readonly does: 'edit'; readonly which: number; readonly change: Partial<LogTold> }
  | { readonly does: 'delete'; readonly which: number }
  | { readonly does: 'restore'; readonly which: number }
  | { readonly does: 'archive'; readonly asset: number; readonly moment: number | null }
  | { readonly does: 'reshape'; readonly area: number; readonly shapes: readonly string[] }

const some = (count: number, least = 0) =>
  fc.uniqueArray(fc.nat({ max: count - 1 }), { minLength: least, maxLength: count })

// Groups are assets too: they stand behind the ordinary ones.
const anyAsset = fc.nat({ max: assetCount + groupCount - 1 })

/** A group joins only groups that stand before it, so that none is ever its own member, which would be refused. */
export function withoutCircles<Told extends Pick<LogTold, 'assets' | 'groups'>>(told: Told): Told {
  const first = Math.min(...told.assets.filter((asset) => asset >= assetCount)) - assetCount
  return { ...told, groups: told.groups.filter((group) => group < first) }
}

const value = fc
  .tuple(fc.constantFrom('', '-'), fc.nat({ max: 99 }), fc.constantFrom('', '.5', '.10', '.00000000000000000001'))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction}`)

const parts = {
  done: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  moment: fc.constantFrom(...moments),
  assets: fc.uniqueArray(anyAsset, { minLength: 0, maxLength: 4 }),
  areas: some(areaCount),
  geometry: fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('POINT (8 8)', 'POLYGON EMPTY') },
  ),
  groups: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(groupCount) }),
  inventory: fc.array(fc.record({ asset: anyAsset, value }), { maxLength: 2 }),
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('record' as const),
      logs: fc.array(fc.record(parts), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      which: fc.nat({ max: 20 }),
      change: fc.record(parts, { requiredKeys: [] }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), which: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restore' as const), which: fc.nat({ max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('archive' as const),
      asset: anyAsset,
      moment: fc.option(fc.constantFrom(...moments), { freq: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('reshape' as const),
      area: fc.nat({ max: areaCount - 1 }),
      shapes: fc.uniqueArray(fc.constantFrom(...areaShapes), { maxLength: 2 }),
    }),
  },
)

/** What a farmer does to the records, one thing after the other, in any order of the logs' own times. */
export const story: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 25, size: 'max' })
