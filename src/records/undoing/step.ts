import type { StoredRecord } from '../../storage/records/stored.ts'
import type { SetRecord } from './set-records.ts'

/** What is to be done so that a record is again as it was before the set. */
export interface Step {
  readonly verb: 'restore' | 'update' | 'remove'
  readonly record: SetRecord
  /** As it is now, and as it is to be. */
  readonly current: StoredRecord | undefined
  readonly wanted: StoredRecord | undefined
}
