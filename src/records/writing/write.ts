import type { RecordTypeName } from '../../farm/farm.ts'
import type { Values } from '../../fields/value.ts'
import type { Work } from './work.ts'

/** One write, and which record it is about. */
export interface Write extends Work {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly now: number
  /** What the record says before; empty for a new one. */
  readonly before: Values
}
