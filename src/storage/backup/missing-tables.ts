import { Refusal } from '../../refusal.ts'
import type { Database, Reading } from '../database.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { existingTables, schemaVersion } from './asking.ts'
import { fates, type TableName, tableNames } from './table-fates.ts'

type On = Pick<Database, 'engine'>

/** Tables that the farm had at this version, and has no longer. */
export async function missingTables(rows: Reading, { engine }: On): Promise<readonly TableName[]> {
  const { tables } = await blueprintOf(engine, await schemaVersion(rows, { engine }))
  const there = await existingTables(rows, engine)
  return tableNames.filter((name) => tables.has(name) && !there.has(name))
}

/** Whether a farm without this table can be backed up and restored, and has it again then. */
export const canBeRebuilt = (table: TableName): boolean =>
  fates[table] === 'rebuilt' || (fates[table] === 'stays-behind' && table !== 'migration')

/** What leaves without a table that others would look for in it is no backup. */
export async function requireTablesThatLeave(rows: Reading, on: On): Promise<void> {
  const [first, ...others] = (await missingTables(rows, on)).filter((table) => !canBeRebuilt(table))
  if (first === undefined) return
  const missing =
    others.length === 0
      ? `The table ${first} is not there`
      : `The tables ${[first, ...others].join(', ')} are not there`
  throw new Refusal('conflict', `${missing}: run \`furrow doctor\`. Nothing was written.`)
}
