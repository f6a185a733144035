import type { Database, Engine, Reading } from './database.ts'
import { ask, type Fragment, fragment } from './fragment.ts'
import { preparedFirst } from './prepared.ts'

const listOfTables: Record<Engine, Fragment> = {
  sqlite: fragment`select name from sqlite_master where type = 'table'`,
  postgres: fragment`select tablename as name from pg_tables where schemaname = current_schema()`,
}

/** The tables that are there, whatever release made them. */
export async function existingTables(rows: Reading, engine: Engine): Promise<ReadonlySet<string>> {
  return new Set((await ask<{ name: string }>(rows, listOfTables[engine])).map(({ name }) => name))
}

/** The version of the tables; 0 where there are none. */
export async function schemaVersion(rows: Reading, { engine }: Pick<Database, 'engine'>): Promise<number> {
  if (!(await existingTables(rows, engine)).has('migration')) return 0
  return newestMigration(rows)
}

/** Of those that have been applied; 0 where none has. */
export async function newestMigration(rows: Reading): Promise<number> {
  return (await highestVersion(rows))?.version ?? 0
}

const highestVersion = preparedFirst((rows) =>
  rows.selectFrom('migration').select((select) => select.fn.max('version').as('version')),
)
