import type { Selectable } from 'kysely'
import type { Database, Engine, Snapshot, Transaction } from './database.ts'
import type { Report } from './report.ts'
import { ask, type Fragment, fragment, named, word } from './sql/fragment.ts'
import { insertInBulk } from './sql/insertion.ts'
import type { TableName } from './sql/table-fates.ts'
import type { FacetRow, InventoryChangeRow, ReferenceRow, StayRow, Tables } from './sql/tables.ts'

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

const noRows = (): Readonly<Record<RebuiltTable, unknown[]>> => ({
  reference: [],
  facet: [],
  stay: [],
  inventory_change: [],
})

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

/** The column that each table is counted by beside the bundle (see the counting migration). */
const statusOf = {
  log: fragment`status`,
  asset: fragment`case when archived = 0 then 'kept' else 'archived' end`,
  term: fragment`''`,
} as const

export const countedTables = ['log', 'asset', 'term'] as const

/** Bundle, status and count of everything in one of these tables, counted one by one. */
export const counts = (table: (typeof countedTables)[number]): Fragment =>
  fragment`select bundle, status, count(*) as count
    from (select bundle, ${statusOf[table]} as status from ${named(table)}) as records group by bundle, status`

/** Counts everything anew. */
export async function countAnew(tx: Transaction): Promise<void> {
  await ask(tx, fragment`delete from tally`)
  for (const table of countedTables) {
    await ask(
      tx,
      fragment`insert into tally (record_table, bundle, status, slot, count)
        select ${word(`'${table}'`)}, bundle, status, 0, count from (${counts(table)}) as counts`,
    )
  }
}

/** Work of the database for each inserted row. */
interface Upkeep {
  readonly of: string
  readonly drop: string
  readonly make: string
}

/**
 * On SQLite the named indexes: the others are the row order, or cannot be dropped. On PostgreSQL also unique ones,
 * which are then checked at once; but stays are looked up while they are filled. Triggers also count; counting is
 * redone at the end.
 */
const upkeep: Record<Engine, Fragment> = {
  sqlite: fragment`select tbl_name as "of", 'drop ' || type || ' "' || name || '"' as "drop", sql as make
    from sqlite_master where type in ('index', 'trigger') and sql is not null`,
  postgres: fragment`select i.tablename as "of", format('drop index %I', i.indexname) as "drop", i.indexdef as make
    from pg_indexes i where i.schemaname = current_schema() and not exists
      (select 1 from pg_constraint c where c.conname = i.indexname and c.connamespace = current_schema()::regnamespace)
    union all select t.relname, format('alter table %I drop constraint %I', t.relname, c.conname),
      format('alter table %I add constraint %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.connamespace = current_schema()::regnamespace and c.contype in ('p', 'u') and t.relname <> 'stay'
    union all select t.relname, format('drop trigger %I on %I', g.tgname, t.relname), pg_get_triggerdef(g.oid)
    from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal`,
}

/** Runs work that fills tables, with everything that rests on their rows made once at the end instead of row by row. */
export async function withoutUpkeep(
  database: Database,
  { tables, report }: { readonly tables: readonly TableName[]; readonly report: Report },
  work: () => Promise<void>,
): Promise<void> {
  const all = await database.read((snapshot: Snapshot) => ask<Upkeep>(snapshot, upkeep[database.engine]))
  const theirs = all.filter(({ of }) => tables.some((table) => table === of))
  await database.write(async (tx) => {
    for (const { drop } of theirs) await ask(tx, word(drop))
  })
  await work()
  for (const [index, { make }] of theirs.entries()) {
    report('indexes', index, theirs.length)
    await database.write((tx) => ask(tx, word(make)))
  }
}
