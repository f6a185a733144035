import type { Database, Engine, Snapshot } from '../database.ts'
import type { Report } from '../report.ts'
import { ask, type Fragment, fragment, word } from '../sql/fragment.ts'
import type { TableName } from '../sql/table-fates.ts'

/** Something that the database does for every row that comes into a table. */
interface Upkeep {
  readonly of: string
  readonly drop: string
  readonly make: string
}

/**
 * In SQLite the indexes that were made by name: the others are the order of the rows, or cannot be dropped. In PostgreSQL also
 * those that keep keys unique, which then are found to be so all at once; but stays are looked up while they are filled.
 * Triggers count, which is done anew at the end.
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
