import type { Writing } from './database.ts'
import { insertSheaf, type Sheaf } from './insertion.ts'
import { copyIn } from './postgres/copy.ts'

/** Brings many rows in, by the way that costs the engine the least. */
export async function insertInBulk(rows: Writing, sheaf: Sheaf): Promise<void> {
  if (rows.engine === 'sqlite') await insertSheaf(rows, sheaf)
  else await copyIn(rows, sheaf)
}
