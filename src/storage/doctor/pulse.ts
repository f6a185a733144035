import type { Snapshot, Transaction } from '../database.ts'
import { ask, fragment } from '../sql/fragment.ts'

/** Resolves if the database can be read. */
export async function readsWell(snapshot: Snapshot): Promise<void> {
  await ask(snapshot, fragment`select version from migration limit 1`)
}

/**
 * Resolves if the database can be written: changes a row there and back, so that nothing changes but the disk. SQLite writes
 * nothing for a row that is given the values it has.
 */
export async function writesWell(tx: Transaction): Promise<void> {
  await ask(tx, fragment`update migration set applied = applied + 1 where version = 1`)
  await ask(tx, fragment`update migration set applied = applied - 1 where version = 1`)
}
