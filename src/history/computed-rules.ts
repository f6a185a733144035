import type { ComputedRule } from '../fields/field.ts'
import type { Value } from '../fields/value.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import type { StayKind } from '../storage/history/stay-rows.ts'
import { inventoryLevels } from './inventory.ts'
import { unknownWhereabouts, type Whereabouts, whereaboutsOf } from './location.ts'
import { assetsInAreas, currentGroups, membersOfGroups } from './membership.ts'
import { type WithholdingPeriod, withheldOfAreas, withheldOfAssets, withheldValue } from './withholding.ts'

/** Computes values for many records at once, by id; records without a value are missing. */
export type WorkOut<T> = (
  snapshot: Snapshot,
  ids: readonly number[],
  time: PointInTime,
) => Promise<ReadonlyMap<number, T>>

/** The way to filter by a computed field: by location, by contents, or by computing it for each record. */
type ComputedFilter =
  | { readonly by: 'staying' | 'occupied'; readonly kind: StayKind }
  | { readonly by: 'working it out' }

type DecisionBasis =
  | { readonly by: 'the latest log'; readonly topic: StayKind }
  | { readonly by: 'a sum'; readonly topic: 'inventory' }
  /** Computes the rule for each asset. */
  | { readonly by: 'each asset'; readonly rule: 'location' | 'groups' }

interface Rule<T = unknown> {
  /** Several fields can share one computation. */
  readonly workOut: WorkOut<T>
  /** Picks the field's value from the computation. */
  readonly valueFrom: (worked: T | undefined) => Value
  /** Missing if the field cannot be filtered, such as a sum over history. */
  readonly filter?: ComputedFilter
  /** The logs that decide: the latest of a kind, all of a sum, or those of each contained asset. Absent: the value names its logs. */
  readonly decided?: DecisionBasis
  /** The value may change every second, without a log. */
  readonly moves?: 'with every second'
  /** Advice on what to record to change the value. */
  readonly instead: string
}

// The cast is safe: each rule receives only its own result.
const rule = <T>(one: Rule<T>): Rule => one as Rule

const whereabouts = (value: (known: Whereabouts) => Value) => ({
  workOut: whereaboutsOf,
  valueFrom: (known: Whereabouts | undefined) => value(known ?? unknownWhereabouts),
  decided: { by: 'the latest log', topic: 'movement' } as const,
  instead: 'record a done log with a movement of this asset instead',
})

const listed = (ids: readonly number[] | undefined): Value => ids ?? []

const withheld = {
  valueFrom: (found: readonly WithholdingPeriod[] | undefined) => withheldValue(found),
  moves: 'with every second',
  instead: 'record a done log with a quantity such as "withhold milk", in days, instead',
} as const

/** Every computed field: its computation, its filter, and how to change it. */
export const computedRules: Readonly<Record<ComputedRule, Rule>> = {
  location: rule({ ...whereabouts(({ areas }) => areas), filter: { by: 'staying', kind: 'movement' } }),
  geometry: rule({ ...whereabouts(({ geometry }) => geometry), filter: { by: 'working it out' } }),
  contents: rule({
    workOut: assetsInAreas,
    valueFrom: listed,
    filter: { by: 'occupied', kind: 'movement' },
    decided: { by: 'each asset', rule: 'location' },
    instead: 'record a done log that moves the assets to this area instead',
  }),
  groups: rule({
    workOut: currentGroups,
    valueFrom: listed,
    filter: { by: 'staying', kind: 'membership' },
    decided: { by: 'the latest log', topic: 'membership' },
    instead: 'record a done log with a membership of this asset instead',
  }),
  members: rule({
    workOut: membersOfGroups,
    valueFrom: listed,
    filter: { by: 'occupied', kind: 'membership' },
    decided: { by: 'each asset', rule: 'groups' },
    instead: 'record a done log with a membership in this group instead',
  }),
  inventory: rule({
    workOut: inventoryLevels,
    valueFrom: (level: string | undefined) => level ?? '0',
    decided: { by: 'a sum', topic: 'inventory' },
    instead: 'record a done log with an inventory adjustment of this asset instead',
  }),
  withheld: rule({ workOut: withheldOfAssets, ...withheld }),
  'withheld-area': rule({ workOut: withheldOfAreas, ...withheld }),
}
