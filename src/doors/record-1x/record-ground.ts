import type { RecordTypeName } from '../../farm/farm.ts'
import type { Documents } from './documents.ts'
import type { RecordHouse } from './record-house.ts'

/** What reading and writing records of one type stand on. */
export interface Ground {
  readonly house: RecordHouse
  readonly documents: Documents
  readonly type: RecordTypeName
}
