/** What a farm can say that it keeps, in the order of the tiles. */
export const farmBranches = ['vegetables', 'livestock', 'fruit', 'grain', 'bees'] as const

export type FarmBranch = (typeof farmBranches)[number]

/** The first words of a farm that keeps something. */
export interface Starter {
  /** By their family. */
  readonly crops: Readonly<Record<string, readonly string[]>>
  readonly animal_types: readonly string[]
  readonly units: readonly string[]
  readonly materials: readonly string[]
  readonly log_categories: readonly string[]
}

export interface Starters {
  readonly starters: Readonly<Record<FarmBranch, Starter>>
  /** What every farm weighs and measures with. */
  readonly units: Readonly<Record<'metric' | 'us', readonly string[]>>
}
