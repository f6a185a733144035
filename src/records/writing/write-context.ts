import type { Caller } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Values } from '../../fields/value.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import type { Records } from '../records.ts'

/** Changes that one caller makes in one transaction. */
export interface WriteContext {
  readonly installation: Records
  readonly tx: Transaction
  readonly caller: Caller
  readonly set: ChangeSet
}

/** One write, and which record it is about. */
export interface RecordWriteContext extends WriteContext {
  readonly type: RecordTypeName
  readonly bundle: string
  readonly now: number
  /** The current values; empty for a new record. */
  readonly before: Values
}
