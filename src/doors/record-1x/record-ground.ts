import type { RecordTypeName } from '../../farm/farm.ts'
import type { RecordHouse } from './record-house.ts'
import type { Templates } from './templates.ts'

/** What reading and writing records of one type stand on. */
export interface Ground {
  readonly house: RecordHouse
  readonly templates: Templates
  readonly type: RecordTypeName
}
