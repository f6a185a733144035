import type { Keeping } from '../../records/keeping.ts'
import type { House } from '../http/house.ts'

/** What this door stands on: the house, and the keeping of records in it. */
export interface RecordHouse extends House, Keeping {
  /** A word for the installation and its catalogue, for the tags of answers. */
  readonly edition: string
}
