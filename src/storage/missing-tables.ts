import type { Database, Reading } from './database.ts'
import { existingTables, schemaVersion } from './existing-tables.ts'
import { blueprintOf } from './migrations/blueprint.ts'
import { fates, type TableName, tableNames } from './table-fates.ts'

/** Tables that the farm had at this version, and has no longer. */
export async function missingTables(
  rows: Reading,
  { engine }: Pick<Database, 'engine'>,
): Promise<readonly TableName[]> {
  const { tables } = await blueprintOf(engine, await schemaVersion(rows, { engine }))
  const there = await existingTables(rows, engine)
  return tableNames.filter((name) => tables.has(name) && !there.has(name))
}

/** Whether a farm without this table can be backed up and restored, and has it again then. */
export const canBeRebuilt = (table: TableName): boolean =>
  fates[table] === 'rebuilt' || (fates[table] === 'stays-behind' && table !== 'migration')
