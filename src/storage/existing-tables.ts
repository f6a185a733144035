import { type RawBuilder, sql } from 'kysely'
import type { Database, Engine, Reading } from './database.ts'
import { askInSql } from './sql-question.ts'

const listOfTables: Record<Engine, RawBuilder<{ name: string }>> = {
  sqlite: sql`select name from sqlite_master where type = 'table'`,
  postgres: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
}

/** The tables that are there, whatever release made them. */
export async function existingTables(rows: Reading, engine: Engine): Promise<ReadonlySet<string>> {
  return new Set((await askInSql(rows, listOfTables[engine])).map(({ name }) => name))
}

/** The version of the tables; 0 where there are none. */
export async function schemaVersion(rows: Reading, { engine }: Pick<Database, 'engine'>): Promise<number> {
  if (!(await existingTables(rows, engine)).has('migration')) return 0
  const { version } = await rows
    .selectFrom('migration')
    .select((select) => select.fn.max('version').as('version'))
    .executeTakeFirstOrThrow()
  return version ?? 0
}
