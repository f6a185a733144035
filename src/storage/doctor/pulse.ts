import { sql } from 'kysely'
import type { Reading, Writing } from '../database.ts'

/** Resolves if the database can be read. */
export async function readsWell(rows: Reading): Promise<void> {
  await rows.selectFrom('migration').select('version').limit(1).execute()
}

/**
 * Resolves if the database can be written: changes a row there and back, so that nothing changes but the disk. SQLite writes
 * nothing for a row that is given the values it has.
 */
export async function writesWell(rows: Writing): Promise<void> {
  await sql`update migration set applied = applied + 1 where version = 1`.execute(rows)
  await sql`update migration set applied = applied - 1 where version = 1`.execute(rows)
}
