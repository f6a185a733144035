import type { Database, Snapshot } from '../database.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { existingTables, schemaVersion } from './existing-tables.ts'
import { fates, type TableName, tableNames } from './table-fates.ts'

/** Tables that the farm had at this version, and has no longer. */
export async function missingTables(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
): Promise<readonly TableName[]> {
  const { tables } = await blueprintOf(engine, await schemaVersion(snapshot, { engine }))
  const there = await existingTables(snapshot, engine)
  return tableNames.filter((name) => tables.has(name) && !there.has(name))
}

/** How the operator is told of them. */
export const areNotThere = (tables: readonly TableName[]): string =>
  tables.length === 1 ? `The table ${tables[0]} is not there` : `The tables ${tables.join(', ')} are not there`

/** Whether a farm without this table can be backed up and restored, and has it again then. */
export const canBeRebuilt = (table: TableName): boolean =>
  fates[table] === 'rebuilt' || (fates[table] === 'stays-behind' && table !== 'migration')
