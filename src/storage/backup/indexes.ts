import { type RawBuilder, sql } from 'kysely'
import type { Database, Engine, Reading } from '../database.ts'
import { ask } from './asking.ts'
import type { Report } from './entry.ts'
import type { TableName } from './table-fates.ts'

interface Index {
  readonly name: string
  readonly of: string
  readonly definition: string
}

/** Those that were made by name; the ones that keep keys unique stay. */
const listOfIndexes: Record<Engine, RawBuilder<Index>> = {
  sqlite: sql`select name, tbl_name as "of", sql as definition from sqlite_master where type = 'index' and sql is not null`,
  postgres: sql`select i.indexname as name, i.tablename as "of", i.indexdef as definition from pg_indexes i
    where i.schemaname = current_schema() and not exists
      (select 1 from pg_constraint c where c.conname = i.indexname and c.connamespace = current_schema()::regnamespace)`,
}

/** Runs work that fills tables, with their indexes built once at the end instead of row by row. */
export async function withoutIndexes(
  database: Database,
  { tables, report }: { readonly tables: readonly TableName[]; readonly report: Report },
  work: () => Promise<void>,
): Promise<void> {
  const all = await database.read((rows: Reading) => ask(rows, listOfIndexes[database.engine]))
  const theirs = all.filter(({ of }) => tables.some((table) => table === of))
  await database.write(async (rows) => {
    for (const { name } of theirs) await sql`drop index ${sql.ref(name)}`.execute(rows)
  })
  await work()
  for (const [place, { definition }] of theirs.entries()) {
    report('indexes', place, theirs.length)
    await database.write((rows) => sql.raw(definition).execute(rows))
  }
}
