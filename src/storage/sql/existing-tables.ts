import type { Database, Engine, Snapshot } from '../database.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { ask, type Fragment, fragment } from './fragment.ts'
import { preparedFirst } from './prepared.ts'
import { fates, type TableName, tableNames } from './table-fates.ts'

const listOfTables: Record<Engine, Fragment> = {
  sqlite: fragment`select name from sqlite_master where type = 'table'`,
  postgres: fragment`select tablename as name from pg_tables where schemaname = current_schema()`,
}

/** The tables that are there, whatever release made them. */
export async function existingTables(snapshot: Snapshot, engine: Engine): Promise<ReadonlySet<string>> {
  return new Set((await ask<{ name: string }>(snapshot, listOfTables[engine])).map(({ name }) => name))
}

/** The version of the tables; 0 where there are none. */
export async function schemaVersion(snapshot: Snapshot, { engine }: Pick<Database, 'engine'>): Promise<number> {
  if (!(await existingTables(snapshot, engine)).has('migration')) return 0
  return newestMigration(snapshot)
}

/** The newest applied migration; 0 without any. */
export async function newestMigration(snapshot: Snapshot): Promise<number> {
  return (await highestVersion(snapshot))?.version ?? 0
}

const highestVersion = preparedFirst((snapshot) =>
  snapshot.selectFrom('migration').select((select) => select.fn.max('version').as('version')),
)

/** Tables that the farm had at this version, and has no longer. */
export async function missingTables(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
): Promise<readonly TableName[]> {
  const { tables } = await blueprintOf(engine, await schemaVersion(snapshot, { engine }))
  const there = await existingTables(snapshot, engine)
  return tableNames.filter((name) => tables.has(name) && !there.has(name))
}

/** The missing tables in words for the operator. */
export const areNotThere = (tables: readonly TableName[]): string =>
  tables.length === 1 ? `The table ${tables[0]} is not there` : `The tables ${tables.join(', ')} are not there`

/** True if a backup and restore rebuilds this table. */
export const canBeRebuilt = (table: TableName): boolean =>
  fates[table] === 'rebuilt' || (fates[table] === 'stays-behind' && table !== 'migration')
