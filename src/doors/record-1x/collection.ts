import type { RecordTypeName } from '../../farm/farm.ts'
import type { Matches } from '../../records/find.ts'
import type { Documents } from './documents.ts'
import type { RecordHouse } from './record-house.ts'
import type { StateMemory } from './state-memory.ts'

/** The records of one type, as this door reads and writes them. */
export interface Collection {
  readonly house: RecordHouse
  readonly documents: Documents
  /** What lists of this type have found, by their addresses. */
  readonly findings: StateMemory<string, Matches>
  readonly type: RecordTypeName
}
