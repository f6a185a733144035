import type { Transaction } from '../database.ts'
import { copyIn } from '../postgres/copy.ts'
import { insertSheaf, type Sheaf } from './insertion.ts'

/** Brings many rows in, by the way that costs the engine the least. */
export async function insertInBulk(tx: Transaction, sheaf: Sheaf): Promise<void> {
  if (tx.engine === 'sqlite') await insertSheaf(tx, sheaf)
  else await copyIn(tx, sheaf)
}
