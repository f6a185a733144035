import type { Farm } from '../data/farm.ts'

/** Whose eyes see which farm at which address. */
export interface View {
  readonly base: string
  readonly farm: Farm
  readonly viewer: number
  /** Unix seconds. */
  readonly now: number
}
