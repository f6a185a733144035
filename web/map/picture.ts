import type { RestOf } from './draw-areas.ts'
import type { TagsOf } from './draw-labels.ts'
import type { Position } from './position.ts'

/** What the map shows besides the areas themselves. */
export interface Picture {
  readonly chosen: string | undefined
  readonly tagsOf: TagsOf
  /** Only where areas are coloured by their days of rest. */
  readonly restOf: RestOf | undefined
  readonly position: Position | undefined
  /** How much of the lower edge is hidden by a sheet, in pixels. */
  readonly below: number
}
