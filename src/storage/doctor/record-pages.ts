import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { rowPages } from '../records/all-records.ts'
import { unlessMalformed } from '../records/malformed.ts'
import { rowOf, type Stored, storedOf } from '../records/stored.ts'

export interface InspectedPage {
  readonly records: readonly Stored[]
  /** Numbers of records whose fields are no longer JSON. */
  readonly unreadable: readonly number[]
  /** Numbers of records that cannot be found by their names. */
  readonly misnamed: readonly number[]
}

/** All records of a type, page by page, also where some of them cannot be read. */
export async function* inspectedPages(snapshot: Snapshot, type: RecordTypeName): AsyncGenerator<InspectedPage> {
  for await (const page of rowPages((work) => work(snapshot), type)) {
    const read = page.map((row) => [row, unlessMalformed(() => storedOf(type, row))] as const)
    yield {
      records: read.flatMap(([, record]) => (record === null ? [] : [record])),
      unreadable: read.filter(([, record]) => record === null).map(([{ id }]) => id),
      misnamed: read
        .filter(([row, record]) => record !== null && rowOf(record).name_key !== row.name_key)
        .map(([{ id }]) => id),
    }
  }
}
