import { type Selectable, sql } from 'kysely'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Reading, Writing } from '../database.ts'
import { forever } from '../history/stay-rows.ts'
import { type Stored, storedOf, tableOf } from '../records/stored.ts'
import type { FacetRow, InventoryChangeRow, ReferenceRow, StayRow, Tables } from '../tables.ts'
import { fill } from './filling.ts'

/** The rows that follow from one record. */
export interface RebuiltRows {
  readonly reference: readonly Selectable<ReferenceRow>[]
  readonly facet: readonly Selectable<FacetRow>[]
  /** Left open: when they end follows from others. */
  readonly stay: readonly Selectable<StayRow>[]
  readonly inventory_change: readonly Selectable<InventoryChangeRow>[]
}

export const rebuiltTables = ['reference', 'facet', 'stay', 'inventory_change'] as const

type RebuiltTable = (typeof rebuiltTables)[number]

const columns: { readonly [T in RebuiltTable]: readonly (keyof Tables[T])[] } = {
  reference: ['source_id', 'path', 'target_id'],
  facet: ['record_id', 'path', 'key', 'nth', 'whole_key'],
  stay: ['kind', 'asset_id', 'timestamp', 'log_id', 'place_id', 'until'],
  inventory_change: ['asset_id', 'timestamp', 'log_id', 'position', 'value'],
}

/** The rows that follow from many records, table by table, until they are stored. */
export class Harvest {
  #values = noRows()

  add(rebuilt: RebuiltRows): void {
    for (const table of rebuiltTables) {
      const values = this.#values[table]
      // The rows of one table have the columns of that table.
      for (const row of rebuilt[table] as readonly Readonly<Record<string, unknown>>[]) {
        for (const column of columns[table]) values.push(row[column])
      }
    }
  }

  async store(rows: Writing): Promise<void> {
    const all = this.#values
    this.#values = noRows()
    for (const table of rebuiltTables) {
      const values = all[table]
      if (values.length > 0) await fill(rows, { table, columns: columns[table], values })
    }
  }
}

const noRows = (): Readonly<Record<RebuiltTable, unknown[]>> => ({
  reference: [],
  facet: [],
  stay: [],
  inventory_change: [],
})

/** The time at which the next stay of the same asset begins, or never. */
export const endOfStay = sql<number>`coalesce((
  select later.timestamp from stay as later
  where later.kind = stay.kind and later.asset_id = stay.asset_id
    and (later.timestamp, later.log_id) > (stay.timestamp, stay.log_id)
  order by later.timestamp, later.log_id limit 1
), ${sql.lit(forever)})`

/** Ends every stay when the next one begins. */
export async function endStays(rows: Writing): Promise<void> {
  await sql`update stay set until = ${endOfStay}`.execute(rows)
}

const recordsAtOnce = 1000

type Read = <T>(work: (rows: Reading) => Promise<T>) => Promise<T>

/** All records of a type, page by page, each page read on its own. */
export async function* recordPages(read: Read, type: RecordTypeName): AsyncGenerator<readonly Stored[]> {
  for await (const page of rowPages(read, type)) yield page.map((row) => storedOf(type, row))
}

type RecordRow = Parameters<typeof storedOf>[1]

/** Their rows, as they are kept. */
export async function* rowPages(read: Read, type: RecordTypeName): AsyncGenerator<readonly RecordRow[]> {
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
    if (page.length > 0) yield page.map((row) => row as RecordRow)
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
