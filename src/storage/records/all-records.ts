import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { prepared } from '../sql/prepared.ts'
import { countOf } from '../sql/row-count.ts'
import { perType } from './record-rows.ts'
import { type Stored, storedOf } from './stored.ts'

const recordsAtOnce = 1000

type Read = <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>

/** All records of a type, page by page, each page read on its own. */
export async function* recordPages(read: Read, type: RecordTypeName): AsyncGenerator<readonly Stored[]> {
  for await (const page of rowPages(read, type)) yield page.map((row) => storedOf(type, row))
}

type RecordRow = Parameters<typeof storedOf>[1]

/** Their rows, as they are kept. */
export async function* rowPages(read: Read, type: RecordTypeName): AsyncGenerator<readonly RecordRow[]> {
  for (let after = 0; ; ) {
    const page = await read((snapshot) => rowsAfter[type](snapshot, { after }))
    if (page.length > 0) yield page.map((row) => row as RecordRow)
    if (page.length < recordsAtOnce) return
    after = page.at(-1)?.id ?? 0
  }
}

const rowsAfter = perType((type) =>
  prepared((snapshot, { after }: { readonly after: number }) =>
    snapshot
      // The record tables share the columns that are named here, so one type stands for all.
      .selectFrom(type as 'log')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(recordsAtOnce),
  ),
)

export const countRecordsOf = (snapshot: Snapshot, type: RecordTypeName): Promise<number> => countOf(snapshot, type)
