import type { Caller } from '../access/caller.ts'
import type { RecordTypeName } from '../farm/farm.ts'
import type { Values } from '../fields/value.ts'
import type { Writing } from '../storage/database.ts'
import type { Keeping } from './keeping.ts'

/** One write: the transaction, who asks, and which record it is about. */
export interface Write {
  readonly keeping: Keeping
  readonly rows: Writing
  readonly caller: Caller
  readonly type: RecordTypeName
  readonly bundle: string
  readonly now: number
  /** What the record says before; empty for a new one. */
  readonly before: Values
}
