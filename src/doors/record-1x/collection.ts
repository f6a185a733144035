import type { RecordTypeName } from '../../farm/farm.ts'
import type { Matches } from '../../records/find.ts'
import type { SnapshotCache } from '../http/answers/snapshot-cache.ts'
import type { RecordHouse } from '../http/record-house.ts'
import type { Documents } from './documents.ts'

/** The records of one type, as this door reads and writes them. */
export interface Collection {
  readonly house: RecordHouse
  readonly documents: Documents
  /** What lists of this type have found, by their addresses. */
  readonly findings: SnapshotCache<string, Matches>
  readonly type: RecordTypeName
}
