import type { Caller } from '../../access/caller.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import type { Records } from '../records.ts'

/** Changes that one caller makes in one transaction. */
export interface Work {
  readonly installation: Records
  readonly tx: Transaction
  readonly caller: Caller
  readonly set: ChangeSet
}
