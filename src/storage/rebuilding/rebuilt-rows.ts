import type { Selectable } from 'kysely'
import type { Transaction } from '../database.ts'
import { insertInBulk } from '../sql/bulk-insertion.ts'
import { ask, fragment, named } from '../sql/fragment.ts'
import type { FacetRow, InventoryChangeRow, ReferenceRow, StayRow, Tables } from '../sql/tables.ts'

/** The rows that follow from one record. */
export interface RebuiltRows {
  readonly reference: readonly Selectable<ReferenceRow>[]
  readonly facet: readonly Selectable<FacetRow>[]
  /** Left open: when they end follows from others. */
  readonly stay: readonly Selectable<StayRow>[]
  readonly inventory_change: readonly Selectable<InventoryChangeRow>[]
}

export const rebuiltTables = ['reference', 'facet', 'stay', 'inventory_change'] as const

export type RebuiltTable = (typeof rebuiltTables)[number]

const columns: { readonly [T in RebuiltTable]: readonly (keyof Tables[T])[] } = {
  reference: ['source_id', 'path', 'target_id'],
  facet: ['record_id', 'path', 'key', 'nth', 'whole_key'],
  stay: ['kind', 'thing_type', 'thing_id', 'timestamp', 'log_id', 'place_type', 'place_id', 'until'],
  inventory_change: [
    'thing_type',
    'thing_id',
    'measure',
    'unit_id',
    'timestamp',
    'log_id',
    'position',
    'value',
    'is_reset',
  ],
}

/** Empties the tables that are to be filled anew. */
export async function forgetRebuilt(tx: Transaction): Promise<void> {
  for (const table of rebuiltTables) await ask(tx, fragment`delete from ${named(table)}`)
}

/** The rows that follow from many records, table by table, until they are stored. */
export class DerivedRows {
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

  async store(tx: Transaction): Promise<void> {
    const all = this.#values
    this.#values = noRows()
    for (const table of rebuiltTables) {
      const values = all[table]
      if (values.length > 0) await insertInBulk(tx, { table, columns: columns[table], values })
    }
  }
}

const noRows = (): Readonly<Record<RebuiltTable, unknown[]>> => ({
  reference: [],
  facet: [],
  stay: [],
  inventory_change: [],
})
