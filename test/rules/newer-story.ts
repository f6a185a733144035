import * as fc from 'fast-check'
import { areaShapes, moments } from './story.ts'

/** Small again, so that things and moments meet. Things are named by their places in one list: assets, then groups, then areas. */
export const count = { assets: 2, groups: 2, areas: 2 }
const all = count.assets + count.groups + count.areas

export interface NewerLogTold {
  readonly done: boolean
  readonly moment: number
  readonly things: readonly number[]
  /** No movement, or one that may lead nowhere. */
  readonly movement: { readonly places: readonly number[]; readonly geometry: string } | null
  readonly site: readonly number[]
  readonly shapes: readonly string[]
  /** No membership, or one that may be in no group. */
  readonly groups: readonly number[] | null
  readonly quantities: readonly QuantityTold[]
  readonly inventory: readonly { readonly asset: number; readonly tenths: number }[]
}

export interface QuantityTold {
  readonly thing: number
  readonly measure: string
  readonly unit: number
  readonly does: 'increment' | 'decrement' | 'reset'
  readonly tenths: number
}

export interface ThingTold {
  readonly isFixed: boolean
  readonly isPlace: boolean
  readonly shapes: readonly string[]
}

export type NewerStep =
  | { readonly does: 'record'; readonly log: NewerLogTold }
  | { readonly does: 'edit'; readonly which: number; readonly log: NewerLogTold }
  | { readonly does: 'delete'; readonly which: number }
  | { readonly does: 'change'; readonly thing: number; readonly said: ThingTold }

const some = (first: number, last: number, most: number) =>
  fc.uniqueArray(fc.integer({ min: first, max: last }), { maxLength: most })

const anything = fc.nat({ max: all - 1 })
const tenths = fc.integer({ min: -99, max: 99 })
const shapes = fc.uniqueArray(fc.constantFrom(...areaShapes), { maxLength: 2 })
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })

const log: fc.Arbitrary<NewerLogTold> = fc
  .record({
    done: mostly,
    moment: fc.constantFrom(...moments),
    things: some(0, all - 1, 3),
    movement: fc.option(
      fc.record({
        places: some(0, all - 1, 2),
        geometry: fc.oneof(
          { weight: 3, arbitrary: fc.constant('') },
          { weight: 1, arbitrary: fc.constant('POINT (8 8)') },
        ),
      }),
      { freq: 4 },
    ),
    site: some(0, all - 1, 2),
    shapes,
    groups: fc.option(some(count.assets, count.assets + count.groups - 1, 2), { freq: 2 }),
    quantities: fc.array(
      fc.record({
        thing: fc.constantFrom(0, 1, all - 1),
        measure: fc.constantFrom('', 'count'),
        unit: fc.constantFrom(0, 1),
        does: fc.constantFrom('increment' as const, 'decrement' as const, 'reset' as const),
        tenths,
      }),
      { maxLength: 2 },
    ),
    inventory: fc.array(fc.record({ asset: fc.nat({ max: count.assets - 1 }), tenths }), { maxLength: 1 }),
  })
  // Groups do not join groups here: that is refused elsewhere.
  .map((told) => (told.things.some(isGroup) ? { ...told, groups: null } : told))

const isGroup = (thing: number): boolean => thing >= count.assets && thing < count.assets + count.groups

const step: fc.Arbitrary<NewerStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant('record' as const), log }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('edit' as const), which: fc.nat({ max: 20 }), log }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), which: fc.nat({ max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      thing: anything,
      said: fc.record({
        isFixed: fc.boolean(),
        isPlace: mostly,
        shapes: fc.array(fc.constantFrom(...areaShapes), { maxLength: 1 }),
      }),
    }),
  },
)

export const newerStory: fc.Arbitrary<readonly NewerStep[]> = fc.array(step, {
  minLength: 15,
  maxLength: 40,
  size: 'max',
})
