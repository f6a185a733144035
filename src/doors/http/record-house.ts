import type { Keeping } from '../../records/keeping.ts'
import type { House } from './house.ts'

/** What this door stands on: the house, and the keeping of records in it. */
export interface RecordHouse extends House, Keeping {
  /** A word for what can be recorded here, for the tags of answers. */
  readonly catalogue: string
}
