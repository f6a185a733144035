import type { Caller } from '../access/caller.ts'
import type { Writing } from '../storage/database.ts'
import type { Keeping } from './keeping.ts'

/** Changes that one caller makes in one transaction. */
export interface Work {
  readonly keeping: Keeping
  readonly rows: Writing
  readonly caller: Caller
}
