import { type Selectable, sql } from 'kysely'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { type Stored, storedOf, tableOf } from '../records/stored.ts'
import type { FacetRow, InventoryChangeRow, ReferenceRow, StayRow } from '../tables.ts'

/** The rows that follow from one record. How long a stay lasts follows from others, and is left open. */
export interface RebuiltRows {
  readonly reference: readonly Selectable<ReferenceRow>[]
  readonly facet: readonly Selectable<FacetRow>[]
  readonly stay: readonly Omit<Selectable<StayRow>, 'until'>[]
  readonly inventory_change: readonly Selectable<InventoryChangeRow>[]
}

export const rebuiltTables = ['reference', 'facet', 'stay', 'inventory_change'] as const

export async function insertRebuilt(rows: Writing, all: readonly RebuiltRows[]): Promise<void> {
  for (const table of ['reference', 'facet', 'inventory_change'] as const) {
    // The rows of one table, which the compiler cannot tell from those of the others here.
    await insertAll(rows, table, all.flatMap((some): readonly object[] => some[table]) as never)
  }
  const stays = all.flatMap(({ stay }) => stay.map((row) => ({ ...row, until: Number.MAX_SAFE_INTEGER })))
  await insertAll(rows, 'stay', stays)
}

/** The time at which the next stay of the same asset begins, or never. */
export const endOfStay = sql<number>`coalesce((
  select later.timestamp from stay as later
  where later.kind = stay.kind and later.asset_id = stay.asset_id
    and (later.timestamp, later.log_id) > (stay.timestamp, stay.log_id)
  order by later.timestamp, later.log_id limit 1
), ${sql.lit(Number.MAX_SAFE_INTEGER)})`

/** Ends every stay when the next one begins. */
export async function endStays(rows: Writing): Promise<void> {
  await sql`update stay set until = ${endOfStay}`.execute(rows)
}

const recordsAtOnce = 1000

/** All records of a type, page by page, each page read on its own. */
export async function* recordPages(
  read: <T>(work: (rows: Reading) => Promise<T>) => Promise<T>,
  type: RecordTypeName,
): AsyncGenerator<readonly Stored[]> {
  for (let after = 0; ; ) {
    const page = await read((rows) =>
      rows
        // The three record tables share the columns that are named here, so one type stands for all.
        .selectFrom(tableOf[type] as 'log')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(recordsAtOnce)
        .execute(),
    )
    if (page.length > 0) yield page.map((row) => storedOf(type, row as Parameters<typeof storedOf>[1]))
    if (page.length < recordsAtOnce) return
    after = page.at(-1)?.id ?? 0
  }
}

export async function countRecordsOf(rows: Reading, type: RecordTypeName): Promise<number> {
  const { count } = await rows
    .selectFrom(tableOf[type])
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
